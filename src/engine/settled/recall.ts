import { hashFile } from '../../artifacts/hash-file.ts';
import { parseTime } from '../../base/clock.ts';
import { DiskError } from '../../disk/disk.ts';
import { readJournal } from '../../journal/read.ts';
import type { RunAnswer } from '../answers.ts';
import { strayFiles } from '../look/stray-files.ts';
import { lookAtHead } from '../open/head.ts';
import { replacedRuns } from '../open/replaced-runs.ts';
import { eventsFolder, runnerActor, snapshotPath } from '../open/run-files.ts';
import { type FirstEvent, firstEvent, isRunOf, runPlaces } from '../open/run-places.ts';
import { placeAt, type Workspace } from '../open/workspace.ts';
import { programName } from '../program.ts';
import type { RunRequest } from '../requests.ts';
import { hashPipeline } from './pipeline-hash.ts';
import {
  readSettled,
  type Settled,
  type SettledHead,
  type SettledPart,
  settledPath,
} from './settled-file.ts';
import { isStamped } from './stamp.ts';

/** What is told of a run that was left as it is. */
export type Unchanged = Pick<RunAnswer, 'heading' | 'cells' | 'notices' | 'findings'>;

export type Recollection =
  /** Everything that the answer hangs on is as it was, so the answer is. */
  | { readonly kind: 'unchanged'; readonly answer: Unchanged }
  /** Nothing is remembered of the pipeline, the journal and the program as they are now. */
  | { readonly kind: 'nothing' }
  /** Something is remembered, and something else lies on the disk; or it was asked for more. */
  | { readonly kind: 'in-doubt' };

/**
 * Answers from what was remembered of a settled run. Sound, for planning is pure: the same journal and the same facts
 * give the same plan. So whatever a look would ask of the disk is asked here too, and at the least doubt it is left to
 * that look to answer.
 */
export function recall(workspace: Workspace, request: RunRequest): Recollection {
  const { env, root } = workspace;
  if (!isPlain(request)) return inDoubt;
  try {
    const folder = runInQuestion(workspace);
    if (folder === undefined) return inDoubt;
    const placed = placeAt(workspace, folder);
    const settled = readSettled(env.disk, settledPath(root, folder));
    if (settled === undefined || !isAbout(settled.head, placed, folder)) return { kind: 'nothing' };
    return holds(settled, placed, folder) ? answerOf(settled.head, placed) : inDoubt;
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return inDoubt;
  }
}

const inDoubt: Recollection = { kind: 'in-doubt' };

/** Nothing is asked for but to run. What a request may ask for one day counts as well. */
function isPlain(request: RunRequest): boolean {
  // Where nothing would run, nothing is stale.
  const { path, pipeline, observer, notifying, stop, interrupt, acceptStale, ...asked } = request;
  const isNone = (wish: unknown) => Array.isArray(wish) && wish.length === 0;
  return Object.values(asked).every((wish) => wish === undefined || wish === false || isNone(wish));
}

/**
 * The only run of the pipeline's identity that is not abandoned. Among several, and of one that does not say, only a
 * look can tell.
 */
function runInQuestion({ env, root, loaded }: Workspace): string | undefined {
  const found: { readonly folder: string; readonly created: FirstEvent }[] = [];
  for (const { folder } of runPlaces(env, root, loaded.pipeline)) {
    const created = firstEvent(env, root, folder);
    if (created === undefined) return undefined;
    if (isRunOf(created, loaded.pipeline)) found.push({ folder, created });
  }
  const replaced = replacedRuns(found.map(({ created }) => created));
  const [only, other] = found.filter(({ created }) => !replaced.has(created.run));
  return other === undefined ? only?.folder : undefined;
}

/** What is remembered belongs to this program, this boot, this pipeline and the snapshot that is there. */
function isAbout(head: SettledHead, { env, root, loaded }: Workspace, folder: string): boolean {
  return (
    head.program === programName() &&
    head.boot === env.host.self.boot &&
    isStamped(env.disk.stat(snapshotPath(root, folder)), head.snapshot) &&
    head.pipeline === hashPipeline(loaded)
  );
}

function holds({ head, parts }: Settled, workspace: Workspace, folder: string): boolean {
  // Which of them are worth a word only a look can tell.
  if (strayFiles(workspace, folder).length > 0) return false;
  if (!isJournalAtEnd(head, workspace, folder) || !isStateAsRemembered(head, workspace)) return false;
  const changedAfter = parseTime(head.changedAfter);
  if (changedAfter === undefined) return false;
  for (const part of parts)
    if (part === undefined || !isPartAsRemembered(part, workspace, changedAfter)) return false;
  return true;
}

/** Nothing was written behind what the snapshot stands for, nothing is wrong with it, and nobody holds the run. */
function isJournalAtEnd({ positions }: SettledHead, { env, root }: Workspace, folder: string): boolean {
  const compareWithHead = lookAtHead(env, root, folder);
  const journal = readJournal(env.disk, eventsFolder(root, folder), { base: root, from: positions });
  // From an end that is none any more it is read from its start.
  for (const _ of journal.events()) return false;
  const { findings, actors } = journal.finish();
  if (findings.length > 0 || actors.get(runnerActor)?.closed !== true) return false;
  return compareWithHead(actors).length === 0;
}

function isStateAsRemembered({ state }: SettledHead, { env, root, loaded }: Workspace): boolean {
  const spec = loaded.pipeline.state;
  if (spec === undefined) return state === undefined;
  const shownPath = `${root}/${spec.path}`;
  const isShown = env.disk.stat(shownPath)?.kind === 'file';
  const shown = isShown ? hashFile(env.disk, shownPath)?.hash : undefined;
  return shown === state?.shown && hashFile(env.disk, `${root}/${spec.initial}`)?.hash === state?.initial;
}

function isPartAsRemembered(part: SettledPart, { env, root }: Workspace, changedAfter: number): boolean {
  if ('outputs' in part) {
    return part.outputs.every(([path, size, mtime, ino]) => {
      const stat = env.disk.stat(`${root}/${path}`);
      return isStamped(stat, { size, mtime, ino }) && (stat?.ctimeMs ?? 0) <= changedAfter;
    });
  }
  const names = new Set(env.disk.list(`${root}/${part.folder}`));
  return part.present.every((name) => names.has(name)) && !part.absent.some((name) => names.has(name));
}

function answerOf({ answer }: SettledHead, { shownPath }: Workspace): Recollection {
  const { heading, cells, notices } = answer;
  return {
    kind: 'unchanged',
    answer: { heading: { ...heading, workspace: shownPath }, cells, notices, findings: [] },
  };
}
