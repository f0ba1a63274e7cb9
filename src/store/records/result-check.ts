import type {
  FileRecord,
  FileVersion,
  OutputRecord,
  PreState,
  ReportedUnit,
  RestoredStep,
  ResultToRestore,
} from '../../model/event.ts';
import {
  isFlag,
  isHash,
  isListOf,
  isMapOf,
  isNumber,
  isOptional,
  isRecord,
  isText,
  isTrue,
} from './field-check.ts';

/* Results as events hold them. */

export const isOutputRecord = isRecord<OutputRecord>({
  path: isText,
  hash: isHash,
  size: isNumber,
  executable: isOptional(isTrue),
});

export const isFileRecord = isRecord<FileRecord>({ hash: isHash, size: isNumber });

export const isPreState = isRecord<PreState>({ hash: isHash, path: isText, from: isOptional(isText) });

export const isReportedUnit = isRecord<ReportedUnit>({
  unit: isText,
  listed: isFlag,
  unitData: isOptional(isHash),
});

export const isFileVersion = isRecord<FileVersion>({ path: isText, hash: isHash });

const parts = {
  revision: isNumber,
  unitData: isOptional(isHash),
  unitFile: isOptional(isFileVersion),
  inputs: isOptional(isMapOf(isText)),
  preState: isOptional(isPreState),
};

const isRestoredResult = isRecord<ResultToRestore>({
  ...parts,
  attempt: isNumber,
  round: isNumber,
  outputs: isMapOf(isOutputRecord),
  ms: isNumber,
  at: isText,
  seq: isNumber,
  placedAt: isOptional(isText),
  prompt: isOptional(isHash),
  feedback: isOptional(isHash),
  verdict: isOptional(isText),
  passed: isOptional(isFlag),
  score: isOptional(isNumber),
  defects: isOptional(isListOf(isText)),
  response: isOptional(isHash),
  byHand: isOptional(isFlag),
  imported: isOptional(isFlag),
  isFound: isOptional(isFlag),
  reported: isOptional(isFlag),
  skipped: isOptional(isFlag),
  boundTo: isOptional(isReportedUnit),
  kept: isOptional(
    isRecord<NonNullable<ResultToRestore['kept']>>({ guard: isText, reason: isText, made: isRecord(parts) }),
  ),
  actor: isOptional(isText),
  files: isOptional(isMapOf(isFileRecord)),
  note: isOptional(isText),
});

export const isRestoredStep = isRecord<RestoredStep>({
  unit: isText,
  phase: isText,
  results: isListOf((result) => result === null || isRestoredResult(result)),
  promptChange: isOptional(
    isRecord<NonNullable<RestoredStep['promptChange']>>({
      before: isOptional(isHash),
      after: isOptional(isHash),
      reason: isOptional(isText),
    }),
  ),
});
