import { hashBytes } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import { digestOf } from '../../brief/digest.ts';
import type { Brief, FileToRead } from '../../brief/document.ts';
import { recoveryState } from '../../brief/recovery.ts';
import { type Survey, type UnderWay, withClaim } from '../../brief/survey.ts';
import type { Disk } from '../../disk/disk.ts';
import { replaceFileNow } from '../../disk/write.ts';
import type { Positions } from '../../journal/position.ts';
import { runFile } from '../../model/run-folder.ts';
import { inboxFolder } from './inbox.ts';
import { ownDocument } from './own-document.ts';
import { type BriefState, isSameHeads, isWholeBrief, readStateOf, writeBriefState } from './state-file.ts';

/*
 * A task is handed out without looking at the run. What that changes in the brief follows from the brief itself, as long as
 * nothing else has happened.
 */

/** The brief that tells of everything up to these heads, and that nobody has touched; undefined: look at the whole run. */
export function briefBefore(
  disk: Disk,
  root: string,
  folder: string,
  heads: Positions,
): BriefState | undefined {
  const state = readStateOf(disk, root, folder);
  if (state === undefined || state.isSection || !isSameHeads(state.heads, heads)) return undefined;
  if (!isWholeBrief(state.brief) || !isWholeSurvey(state.survey)) return undefined;
  // What came of a compaction in the middle of a round is for whoever knows the whole run.
  const isPlain = state.brief.compaction_events.events.every(({ active_gate: gate }) => gate === null);
  // Of the inbox only compactions stay, and all of them are told of.
  const inbox = disk.list(`${root}/${inboxFolder(folder)}`) ?? [];
  const isQuiet = inbox.length === state.brief.compaction_events.count;
  const bytes = disk.read(`${root}/${state.path}`);
  const isUntouched = bytes !== undefined && hashBytes(bytes) === state.hash;
  return isPlain && isQuiet && isUntouched ? state : undefined;
}

/** T1: where the run stands, and what has to be read; the rest stays byte for byte. */
export function tellOfClaim(
  disk: Disk,
  root: string,
  before: BriefState,
  claim: UnderWay,
  filesToRead: readonly FileToRead[],
  heads: Positions,
): void {
  const survey = withClaim(withoutCell(before.survey, claim), claim);
  const brief: Brief = { ...before.brief, recovery_state: recoveryState(survey), files_to_read: filesToRead };
  const digest = digestOf(survey, brief);
  const document = ownDocument(brief as unknown as JsonObject);
  const { status, phaseSince } = survey;
  const hashes = { hash: hashBytes(document), hashBefore: before.hash };
  const state = { ...before, status, phaseSince, survey, brief, digest, heads, ...hashes };
  // What a kill leaves there the next start sweeps away.
  const staging = `${root}/${runFile(before.folder, 'staging')}`;
  disk.makeFolder(staging);
  writeBriefState(disk, root, state, staging);
  replaceFileNow(disk, `${root}/${before.path}`, document, staging);
  replaceFileNow(
    disk,
    `${root}/${runFile(before.folder, 'RESUME.md')}`,
    new TextEncoder().encode(digest),
    staging,
  );
}

/** Whoever had it before has it no more. */
function withoutCell(survey: Survey, { unit, phase }: UnderWay): Survey {
  const { first, count } = survey.underWay;
  const others = first.filter((one) => one.unit !== unit || one.phase !== phase);
  return { ...survey, underWay: { first: others, count: count - (first.length - others.length) } };
}

/** Anybody may have written into the file that it comes from. */
function isWholeSurvey({ phases, progress, underWay, questions, blocked }: Partial<Survey>): boolean {
  const lists = [phases, underWay?.first, questions?.first, blocked?.first];
  return progress !== undefined && lists.every(Array.isArray);
}
