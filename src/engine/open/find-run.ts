import { slugOf } from '../../base/ids.ts';
import { byCodeUnit } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { allQuestions } from '../../ledger/questions.ts';
import type { Failure } from '../../model/failure.ts';
import type { RunChoice } from '../../model/failure-details.ts';
import type { RunStatus } from '../../model/status.ts';
import { isTerminal } from '../../model/status.ts';
import { nearest } from '../../pipeline/text/problems.ts';
import { type OpenedRun, openRun, unacceptedDamage } from './open-run.ts';
import { type ReplacedRuns, replacedAmong } from './replaced-runs.ts';
import type { Target } from './requests.ts';
import { runChoices } from './run-choices.ts';
import { firstEvent, isRunOf, placesCalled, type RunPlace, runPlaces } from './run-places.ts';
import type { Workspace } from './workspace.ts';

export interface FindOptions {
  /**
   * Also a run that cannot say what it is for: what looks after damage must reach it. `first`: before a run that is
   * whole.
   */
  readonly evenDamaged?: boolean | 'first';
  /** The question that the call answers: of several runs only those that wait for it can be meant. */
  readonly question?: string;
}

/**
 * The run that a call is about: the one that was named, or the one of the manifest's identity; undefined: none yet. Of
 * several, the open one; if there is none, the newest. An abandoned run is found only by its name.
 */
export function findRun(
  workspace: Workspace,
  target: Target,
  options: FindOptions = {},
): Result<OpenedRun | undefined, Failure> {
  const { env, root, loaded } = workspace;
  const places = runPlaces(env, root, loaded.pipeline);
  if (target.run !== undefined) return findById(workspace, places, target.run);
  const replaced = replacedAmong(env, root, places, loaded.pipeline);
  const { resumable, completed, damaged } = sortRuns(
    ofIdentity(workspace, places).filter((run) => !replaced.has(idOf(run))),
  );
  const meant = resumable.length > 1 ? waitingFor(resumable, options.question) : resumable;
  if (meant.length > 1 || mayBeReplaced(workspace, meant[0], damaged)) {
    const others = meant === resumable ? damaged : [];
    return fail({ reason: 'which-run', candidates: runChoices({ runs: meant, damaged: others }) });
  }
  const found = meant[0] ?? completed;
  const [first] = damaged;
  if (options.evenDamaged === 'first' && first !== undefined && !(found && isDamaged(found)))
    return ok(first);
  if (found !== undefined || first === undefined) return ok(found);
  // Nothing unreadable is taken for empty: it may be the very run that is asked for.
  if (options.evenDamaged) return ok(first);
  return fail({ reason: 'journal-damaged', run: first.id, findings: first.findings });
}

/** The runs in which the question is open; all of them where none has it, because then the id decides nothing. */
function waitingFor(runs: readonly OpenedRun[], question: string | undefined): readonly OpenedRun[] {
  const waiting = runs.filter(({ ledger }) =>
    allQuestions(ledger).some(({ id, decided, over }) => id === question && decided === undefined && !over),
  );
  return waiting.length > 0 ? waiting : runs;
}

/** Ids of the open runs of the identity, abandoned ones too: a fresh run replaces them all. */
export function openRunIds(workspace: Workspace): string[] {
  const { env, root, loaded } = workspace;
  return sortRuns(ofIdentity(workspace, runPlaces(env, root, loaded.pipeline))).resumable.map(idOf);
}

interface SortedRuns {
  readonly resumable: readonly OpenedRun[];
  /** The newest. */
  readonly completed: OpenedRun | undefined;
  /** Runs whose first event cannot be read, so that their identity is not known. */
  readonly damaged: readonly OpenedRun[];
}

function sortRuns(runs: readonly OpenedRun[]): SortedRuns {
  const resumable: OpenedRun[] = [];
  let completed: OpenedRun | undefined;
  const damaged: OpenedRun[] = [];
  for (const opened of runs) {
    const isReadable = opened.ledger.run !== undefined;
    if (!isReadable && unacceptedDamage(opened).length > 0) damaged.push(opened);
    if (!isReadable || isTerminal(opened.status)) continue;
    if (opened.status !== 'completed') resumable.push(opened);
    else if (completed === undefined || completed.ledger.createdAt <= opened.ledger.createdAt)
      completed = opened;
  }
  return { resumable, completed, damaged };
}

/** The runs that are of the manifest's identity, or may be. */
function ofIdentity(workspace: Workspace, places: readonly RunPlace[]): OpenedRun[] {
  const { env, root, loaded } = workspace;
  return places
    .filter(({ folder }) => worksOn(workspace, folder) !== 'no')
    .map((place) => openRun(env, root, place, { whole: false, pipeline: loaded.pipeline }));
}

/**
 * A run of the pipeline that is not older cannot be read: it may have replaced the one that is open. To resume that one
 * would pay again for what the newer one has done.
 */
function mayBeReplaced(
  { loaded }: Workspace,
  open: OpenedRun | undefined,
  damaged: readonly OpenedRun[],
): boolean {
  if (open === undefined) return false;
  // An id begins with the minute of its run, then comes the pipeline.
  const minute = idOf(open).slice(0, minuteLength);
  return damaged.some(
    ({ id }) => id.slice(0, minuteLength) >= minute && id.includes(slugOf(loaded.pipeline.name)),
  );
}

const minuteLength = '20261115-1200'.length;

function idOf({ id, ledger }: Pick<OpenedRun, 'id' | 'ledger'>): string {
  return ledger.run?.run ?? id;
}

/** The newest run of the identity that was ended for good; whoever starts another one is told. */
export function endedBefore(workspace: Workspace): OpenedRun | undefined {
  const { env, root, loaded } = workspace;
  let newest: OpenedRun | undefined;
  for (const place of runPlaces(env, root, loaded.pipeline)) {
    if (worksOn(workspace, place.folder) !== 'yes') continue;
    const opened = openRun(env, root, place, { whole: false, pipeline: loaded.pipeline });
    if (!isTerminal(opened.status)) continue;
    if (newest === undefined || newest.ledger.createdAt <= opened.ledger.createdAt) newest = opened;
  }
  return newest;
}

/** Whether a run is of the manifest's identity. `unknown`: its first event cannot be read. */
export function worksOn(
  { env, root, loaded }: Pick<Workspace, 'env' | 'root' | 'loaded'>,
  folder: string,
): 'yes' | 'no' | 'unknown' {
  const created = firstEvent(env, root, folder);
  if (created === undefined) return 'unknown';
  return isRunOf(created, loaded.pipeline) ? 'yes' : 'no';
}

/** Like `findRun`, for a call that makes no sense without one. */
export function needRun(
  workspace: Workspace,
  target: Target,
  options: FindOptions = {},
): Result<OpenedRun, Failure> {
  const found = findRun(workspace, target, options);
  if (!found.ok) return found;
  return found.value === undefined
    ? fail({ reason: 'no-run', workspace: workspace.shownPath })
    : ok(found.value);
}

/** Every run of a workspace, oldest first: ids begin with their time. */
export function allRuns({ env, root, loaded }: Workspace): OpenedRun[] {
  const places = runPlaces(env, root, loaded.pipeline);
  const replaced = replacedAmong(env, root, places);
  return places
    .map((place) => openRun(env, root, place, { whole: false, pipeline: loaded.pipeline }))
    .map((opened) => asReplaced(opened, replaced))
    .sort((a, b) => byCodeUnit(a.id, b.id));
}

function asReplaced(opened: OpenedRun, replaced: ReplacedRuns): OpenedRun {
  const replacedBy = replaced.get(idOf(opened));
  return replacedBy === undefined ? opened : { ...opened, replacedBy };
}

/** A process that died before the first event leaves a folder that says nothing: not damage, only litter. */
export function isDamaged({ findings }: OpenedRun): boolean {
  return findings.some(({ weight }) => weight === 'loud');
}

export function createRunHeading(
  workspace: Pick<Workspace, 'shownPath'>,
  run: Pick<OpenedRun, 'id' | 'ledger' | 'status' | 'replacedBy'>,
): RunHeading {
  const { ledger, status, replacedBy } = run;
  return {
    run: idOf(run),
    pipeline: ledger.run?.pipeline ?? '',
    identity: ledger.run?.identity ?? {},
    status,
    workspace: workspace.shownPath,
    createdAt: ledger.createdAt,
    updatedAt: ledger.updatedAt,
    ...(replacedBy !== undefined && { replacedBy }),
  };
}

/** Those that begin so; else all of the manifest, the newest first. */
function candidatesOf(
  workspace: Workspace,
  called: readonly RunPlace[],
  places: readonly RunPlace[],
): RunChoice[] {
  const { env, root, loaded } = workspace;
  const own =
    called.length > 0 ? called : places.filter(({ folder }) => worksOn(workspace, folder) === 'yes');
  const newest = [...own].sort((a, b) => byCodeUnit(b.id, a.id)).slice(0, candidatesMax);
  const runs = newest.map((place) => openRun(env, root, place, { whole: false, pipeline: loaded.pipeline }));
  return runChoices({ runs, damaged: [] });
}

const candidatesMax = 100;

/** By its id, by the name of its folder, or by a beginning that no other run has. */
function findById(workspace: Workspace, places: readonly RunPlace[], id: string): Result<OpenedRun, Failure> {
  const { env, root, loaded } = workspace;
  const called = id === '' ? [] : placesCalled(places, id);
  const [chosen, other] = called;
  if (chosen !== undefined && other === undefined) {
    const created = firstEvent(env, root, chosen.folder);
    // What one manifest says must never be done to the run of another.
    if (created !== undefined && worksOn(workspace, chosen.folder) === 'no')
      return fail({
        reason: 'run-of-another',
        run: chosen.id,
        pipeline: created.pipeline,
        identity: created.identity,
      });
    const opened = openRun(env, root, chosen, { whole: false, pipeline: loaded.pipeline });
    return ok(asReplaced(opened, replacedAmong(env, root, places, loaded.pipeline)));
  }
  const ids = (some: readonly RunPlace[]) => some.map((place) => place.id);
  const near = called.length > 0 ? ids(called) : nearest(id, ids(places));
  return fail({ reason: 'run-not-found', id, near, candidates: candidatesOf(workspace, called, places) });
}

/** What the use cases answer: facts for `report` to put into words. */

/** Which run an answer is about. */
export interface RunHeading {
  readonly run: string;
  readonly pipeline: string;
  readonly identity: Readonly<Record<string, string>>;
  readonly status: RunStatus;
  /** Relative to the folder the command was given in, for people to type. */
  readonly workspace: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The run that `--fresh` made in its place: it is abandoned, and only its id leads to it. */
  readonly replacedBy?: string;
}
