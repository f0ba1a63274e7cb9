import type { Hash } from '../../../base/hash.ts';
import { fail, ok, type Result } from '../../../base/result.ts';
import type { Failure } from '../../../model/failure.ts';
import { isOver } from '../../../model/status.ts';
import type { UnusedContent } from '../../../store/content.ts';
import type { Environment } from '../../open/environment.ts';
import { takeGcLock } from '../../open/gc-lock.ts';
import type { OpenedRun } from '../../open/open-run.ts';
import type { Target } from '../../open/requests.ts';
import { openRunJournal, runnerActor } from '../../open/run-files.ts';
import { forgetAnswers } from './answers.ts';
import { chooseRuns, type GcChoice, type KnownRun } from './choice.ts';
import { findClaimedFiles } from './claims.ts';
import {
  remainsIn,
  removeObjects,
  removeRemains,
  removeRunFiles,
  removeRunJournal,
  tidyFolders,
} from './delete.ts';
import { type DoomedFile, listRunFiles, type RunFiles } from './files.ts';
import { finalOutputs } from './final.ts';
import type { CollectedRun, GcAnswer, KeptRun, LeftFile } from './gc-answer.ts';
import { type GcScope, holdersIn, openGround } from './ground.ts';
import type { Keep } from './history.ts';
import { type ObjectPlan, planObjects } from './objects.ts';

export interface GcRequest extends Pick<Target, 'path' | 'pipeline'> {
  /** Of a run: since its last event. */
  readonly olderThanMs: number;
  /** Keep the final outputs of finished units, and what tells where they came from. */
  readonly keep?: 'approved' | undefined;
  /** Do it. Otherwise it is only said what would be done. */
  readonly delete?: boolean | undefined;
  /** What stands near the beginning of a page that `report` wrote: in a run's folder it goes with the run. */
  readonly pageMark?: string | undefined;
}

/** Finds runs that are over and old, what they made, and objects that nobody names; removes them when told to. */
export async function collectGarbage(
  env: Environment,
  request: GcRequest,
): Promise<Result<GcAnswer, Failure>> {
  const ground = await openGround(env, request);
  if (!ground.ok) return ground;
  const { root } = ground.value;
  if (!request.delete || env.disk.stat(`${root}/.pawl`) === undefined)
    return ok(answerOf(ground.value, request, planGc(ground.value, request)));
  // Courtesy: while a run is held nobody else is kept from taking up another one.
  const [busy] = holdersIn(ground.value);
  if (busy !== undefined) return fail({ reason: 'run-held', ...busy });
  const turn = await onFullDisk(ground.value, () => takeGcLock(env, root));
  if (!turn.ok) return turn;
  try {
    // Only with the turn in hand what is seen stays so.
    const seen = await openGround(env, request);
    if (!seen.ok) return seen;
    const [held] = holdersIn(seen.value);
    if (held !== undefined) return fail({ reason: 'run-held', ...held });
    const plan = planGc(seen.value, request);
    const done = await carryOut(seen.value, plan);
    return done.ok ? ok(answerOf(seen.value, request, done.value)) : done;
  } finally {
    turn.value.release();
  }
}

interface Removal {
  readonly run: KnownRun;
  readonly keep: Keep;
  readonly unfinished: boolean;
  readonly files: RunFiles;
}

interface GcPlan {
  readonly removals: readonly Removal[];
  /** Nothing but folders may be left to remove of these. */
  readonly done: readonly KnownRun[];
  readonly kept: readonly KeptRun[];
  readonly objects: ObjectPlan;
}

/** The same for showing and for doing. */
function planGc(ground: GcScope, request: GcRequest): GcPlan {
  const chosen = chooseRuns(ground, { olderThanMs: request.olderThanMs, keep: request.keep ?? 'nothing' });
  const claimed = claimsAmong(ground, chosen);
  const produced = producedIn(chosen);
  const removals: Removal[] = [];
  const done: KnownRun[] = [];
  const kept: KeptRun[] = [];
  for (const { run, fate } of chosen) {
    if (fate.do === 'keep') kept.push(keptRun(run.opened, run.lastAt, fate.reason));
    if (fate.do !== 'collect') continue;
    const files = listRunFiles(ground, run, fate.keep, { claimed, produced });
    const isDone = fate.keep === 'approved' && run.mark === 'approved' && files.files.length === 0;
    if (!isDone) removals.push({ run, keep: fate.keep, unfinished: fate.unfinished, files });
    else {
      done.push(run);
      kept.push(keptRun(run.opened, run.lastAt, 'approved-only'));
    }
  }
  for (const stray of ground.strays) kept.push(keptRun(stray, stray.ledger.updatedAt, 'stray'));
  return { removals, done, kept, objects: planObjects(ground, chosen) };
}

/** What attempts made, by content: it lies in the store as well, and no other copy needs to be kept. */
function producedIn(chosen: readonly GcChoice[]): Set<Hash> {
  const produced = new Set<Hash>();
  for (const { run } of chosen)
    for (const contents of run.made.values()) for (const hash of contents.keys()) produced.add(hash);
  return produced;
}

/** What runs that stay have put somewhere, and what stays of those that do not. */
function claimsAmong(ground: GcScope, chosen: readonly GcChoice[]): Set<string> {
  const staying = chosen.filter(({ fate }) => fate.do !== 'collect').map(({ run }) => run);
  const claimed = findClaimedFiles(ground, staying);
  for (const { run, fate } of chosen) {
    if (fate.do !== 'collect' || fate.keep !== 'approved') continue;
    for (const path of finalOutputs(run.opened.ledger).keys()) claimed.add(path);
  }
  return claimed;
}

async function carryOut(ground: GcScope, plan: GcPlan): Promise<Result<GcPlan, Failure>> {
  const { disk } = ground.env;
  const remains = remainsIn(ground);
  for (const folder of remains.folders) await removeRemains(ground, folder);
  for (const pointer of remains.pointers) disk.remove(`${ground.root}/${pointer}`);
  for (const run of plan.done) tidyFolders(ground, run);
  const removals: Removal[] = [];
  for (const removal of plan.removals) {
    const left = await removeRunFiles(ground, removal.run, removal.keep, removal.files);
    if (!left.ok) return left;
    removals.push({ ...removal, files: without(removal.files, left.value) });
  }
  // Not before the files of all runs are gone: what one run moved aside is known as made by the journal of another.
  for (const { run, keep } of removals) if (keep === 'nothing') await removeRunJournal(ground, run);
  // Not before the journals that named them are gone.
  if (plan.objects.doubts.length === 0) {
    removeObjects(ground, plan.objects.unused);
    forgetAnswers(ground);
  }
  return ok({ ...plan, removals });
}

function without(files: RunFiles, left: readonly LeftFile[]): RunFiles {
  if (left.length === 0) return files;
  const paths = new Set(left.map(({ path }) => path));
  return {
    ...files,
    files: files.files.filter(({ path }) => !paths.has(path)),
    outputs: files.outputs.filter((path) => !paths.has(path)),
    leftAlone: [...files.leftAlone, ...left],
  };
}

/** There may not even be room for taking the turn: then finished runs give back what they have set aside. */
async function onFullDisk<T>({ env, root, runs }: GcScope, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const released = runs
      .filter(({ status }) => isOver(status))
      .map(({ folder }) => openRunJournal(env, root, folder).maintenance.freeReserve(runnerActor, error));
    if (!released.includes(true)) throw error;
    return await work();
  }
}

function keptRun(opened: OpenedRun, lastAt: string, reason: KeptRun['reason']): KeptRun {
  return { ...namesOf(opened), status: opened.status, updatedAt: lastAt, reason };
}

function namesOf({ id, ledger }: OpenedRun): Pick<KeptRun, 'run' | 'pipeline' | 'identity'> {
  const { run = id, pipeline = '', identity = {} } = ledger.run ?? {};
  return { run, pipeline, identity };
}

function answerOf(ground: GcScope, request: GcRequest, { removals, kept, objects }: GcPlan): GcAnswer {
  const runs = removals.map(collectedRun);
  const { partly, young, doubts } = objects;
  const bytes = sumOf(runs) + sumOf(objects.unused);
  return {
    workspace: ground.shownRoot,
    deleted: request.delete ?? false,
    olderThanMs: request.olderThanMs,
    keep: request.keep ?? 'nothing',
    bytes,
    runs,
    kept,
    objects: {
      loose: tally(objects.unused, 'object'),
      packs: tally(objects.unused, 'pack'),
      leftovers: tally(objects.unused, 'leftover'),
      bytes: sumOf(objects.unused),
      partly,
      young,
      doubts,
    },
    held: request.delete ? [] : holdersIn(ground),
  };
}

function collectedRun({ run, keep, unfinished, files }: Removal): CollectedRun {
  const { opened, endedAs, lastAt } = run;
  const all: readonly DoomedFile[] = [...files.files, ...files.journal];
  return {
    ...namesOf(opened),
    status: endedAs ?? opened.status,
    updatedAt: lastAt,
    folder: opened.folder,
    keep,
    unfinished,
    files: all.length,
    bytes: all.reduce((sum, { stat }) => sum + stat.size, 0),
    outputs: files.outputs,
    leftAlone: files.leftAlone,
  };
}

function sumOf(items: readonly { readonly bytes: number }[]): number {
  return items.reduce((sum, { bytes }) => sum + bytes, 0);
}

function tally(files: readonly UnusedContent[], kind: UnusedContent['kind']): number {
  return files.filter((file) => file.kind === kind).length;
}
