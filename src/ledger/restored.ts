import type { OutputRecord, RestoredParts, RestoredResult, ResultsRestored } from '../model/event.ts';
import type { GuardName } from '../model/reason.ts';
import { retire } from './adopt.ts';
import { forgetCuts } from './attempts.ts';
import type { Cell, CellResult, Ledger, MadeOf } from './ledger.ts';
import { feedbackHash } from './questions.ts';
import { takeCell } from './take-cell.ts';

/** Earlier results count again. The later ones are history; their bytes stay in the content store. */
export function restoreResults(ledger: Ledger, event: ResultsRestored): void {
  for (const { unit, phase, results, promptChange } of event.steps) {
    const cell = takeCell(ledger, unit, phase);
    for (const result of cell.results) retire(cell, result);
    cell.results = results.map((result, at) =>
      result?.iteration === at + 1 ? resultOf(cell, result) : undefined,
    );
    // A list that ends without a result is not what a snapshot gives back.
    while (cell.results.length > 0 && cell.results.at(-1) === undefined) cell.results.pop();
    for (const result of cell.results) cell.attempts = Math.max(cell.attempts, result?.attempt ?? 0);
    cell.running = undefined;
    cell.failure = undefined;
    cell.failures = 0;
    cell.superseded = undefined;
    cell.promptChange = promptChange && {
      before: promptChange.before,
      after: promptChange.after,
      reason: promptChange.reason,
    };
    forgetCuts(cell);
    settlePromotion(cell);
  }
}

/** What was said meanwhile was said of later results: an earlier one that counts again has heard it. */
function resultOf(cell: Cell, restored: RestoredResult): CellResult {
  const { kept, boundTo, ...rest } = restored;
  const result: CellResult = {
    ...rest,
    ...partsOf(restored),
    prompt: restored.prompt,
    verdict: restored.verdict,
    response: restored.response,
    ...(boundTo !== undefined && { boundTo }),
  };
  if (kept !== undefined)
    result.kept = { guard: kept.guard as GuardName, reason: kept.reason, made: partsOf(kept.made) };
  const heard = feedbackHash(cell);
  if (heard !== undefined) result.feedback = heard;
  return result;
}

function partsOf({ revision, unitData, unitFile, inputs, preState }: RestoredParts): MadeOf {
  return { revision, unitData, ...(unitFile && { unitFile }), inputs, preState };
}

/**
 * Where the bytes of the promoted attempt are still those at the declared paths, nothing has to be put back. Otherwise
 * no attempt counts as promoted, so that the plan restores the outputs; `placed` still says what lies there.
 */
function settlePromotion(cell: Cell): void {
  const promoted = cell.results.find((result) => result?.attempt === cell.promoted);
  if (promoted !== undefined && cell.placed !== undefined && isSame(promoted.outputs, cell.placed)) {
    promoted.outputs = cell.placed;
    return;
  }
  cell.promoted = 0;
  // It had no result before: what lies at its paths is a file of the user.
  if (cell.results.every((result) => result === undefined)) cell.placed = undefined;
}

type Outputs = Readonly<Record<string, OutputRecord>>;

function isSame(a: Outputs, b: Outputs): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => a[name]?.hash === b[name]?.hash && a[name]?.path === b[name]?.path)
  );
}
