import { byCodeUnit } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { createInsideCheck } from '../../disk/safe-path.ts';
import { isUnreadable } from '../../disk/unreadable.ts';
import { findStep, type Ledger } from '../../ledger/ledger.ts';
import type { Stage } from '../../model/definition.ts';
import { isForOthers } from '../../model/executor.ts';
import type { Failure, Finding } from '../../model/failure.ts';
import { stepName } from '../../model/names.ts';
import { asksOf } from '../../model/reason.ts';
import { largestStage } from '../../pipeline/layout.ts';
import type { LoadedPipeline } from '../../pipeline/loaded.ts';
import type { Facts } from '../../planner/facts.ts';
import { handOut } from '../../planner/hand-out.ts';
import { stillRefused } from '../../planner/open-guards.ts';
import { noOverrides, type Overrides } from '../../planner/overrides.ts';
import type { Plan } from '../../planner/plan.ts';
import { attemptFolder } from '../../runner/context.ts';
import { resolveForeignRun } from '../observe/enter-told.ts';
import { factOptions } from '../observe/facts.ts';
import { pausedStops } from '../observe/open-calls.ts';
import { readOverrides } from '../observe/overrides.ts';
import {
  eventsForOverrides,
  narrowToSelection,
  planRunFromDisk,
  planWith,
  type RunPlan,
} from '../observe/plan-from-disk.ts';
import { findStaleRun } from '../observe/stale-run.ts';
import type {
  NextAction,
  ResumeAnswer,
  TaskClaim,
  TaskView,
  ValidationRow,
} from '../observe/task-answers.ts';
import { taskFiles } from '../observe/task-files.ts';
import { countTasks, taskViews } from '../observe/task-views.ts';
import type { Environment } from '../open/environment.ts';
import type { RunHeading } from '../open/find-run.ts';
import { createRunHeading, needRun } from '../open/find-run.ts';
import { gitHead } from '../open/git-head.ts';
import { type OpenedRun, shownFindings } from '../open/open-run.ts';
import type { OverrideRequest, Target } from '../open/requests.ts';
import { findHidingListFailure, listFindings } from '../open/resolve-pipeline.ts';
import { runnerActor } from '../open/run-files.ts';
import { openWorkspace, type Workspace } from '../open/workspace.ts';
import { validate } from './validation.ts';

/** How a run stands, for somebody who comes to it anew, and goes on with it as asked. Nothing is changed. */
export async function resumeReport(
  env: Environment,
  target: Target & OverrideRequest & { readonly deep?: boolean | undefined },
): Promise<Result<ResumeReport, Failure>> {
  const workspace = await openWorkspace(env, target);
  if (!workspace.ok) return workspace;
  const opened = needRun(workspace.value, target);
  if (!opened.ok) return opened;
  const entered = await resolveForeignRun(workspace.value, opened.value, target);
  if (!entered.ok) return entered;
  const placed = entered.value;
  const overrides = readOverrides(placed.loaded.pipeline, target);
  if (!overrides.ok) return overrides;
  const seen = narrowToSelection(
    await planRunFromDisk(placed, opened.value, factOptions(target)),
    target,
    overrides.value,
  );
  const found = { ...seen.facts, outputs: new Map(seen.facts.outputs) };
  // What a run records before it goes on, such as an edit that the manifest takes in, is no longer in its way.
  const settled = eventsForOverrides(seen, overrides.value);
  const ahead = settled.ok ? planWith(seen, settled.value) : seen;
  const hiding = findHidingListFailure(placed, ahead.plan);
  if (hiding !== undefined) return fail(hiding);
  return ok(describeResume({ ...ahead, facts: found }, seen.plan, overrides.value, opened.value));
}

/** The answer with what only the disk can say. */
export interface ResumeReport extends ResumeAnswer {
  readonly inDoubt: readonly DoubtfulTask[];
  /** What was looked at before it is gone on with. */
  readonly validation: readonly ValidationRow[];
}

/** A task whose holder is gone or silent. */
export interface DoubtfulTask extends TaskClaim {
  /** Files that it may have left, relative to the workspace. */
  readonly left: readonly string[];
}

/** The same for a run that was looked at already, such as one that is gone on with next. */
function describeResume(seen: RunPlan, found: Plan, overrides: Overrides, opened: OpenedRun): ResumeReport {
  const { workspace, ledger, plan, facts } = seen;
  const { env, root, loaded, manifest } = workspace;
  const answer = resumeFacts({
    heading: createRunHeading(workspace, opened),
    loaded,
    manifest,
    ledger,
    plan,
    refusals: found.refusals,
    facts,
    findings: [...shownFindings(opened), ...listFindings(workspace)],
    gitHead: gitHead(env.disk, root),
  });
  const inDoubt = answer.inDoubt.map((claim) => ({ ...claim, left: leftBy(seen, opened.folder, claim) }));
  const validation = validate({
    ...{ loaded, manifest, ledger, found, plan, facts, overrides },
    isHeld: opened.status === 'running',
    filesIn: ({ unit, phase, attempt }) => {
      const folder = attemptFolder(opened, unit, phase, attempt);
      return { folder, files: filesBelow(workspace, folder) };
    },
  });
  return { ...answer, inDoubt, validation };
}

/** Everything that the report is made of. */
export interface ResumeSubject {
  readonly heading: RunHeading;
  readonly loaded: LoadedPipeline;
  /** The manifest's name in the workspace; empty for a pipeline given in code. */
  readonly manifest: string;
  readonly ledger: Ledger;
  readonly plan: Plan;
  /** What refused before anything was settled. */
  readonly refusals: Plan['refusals'];
  readonly facts: Pick<Facts, 'now' | 'outputs'>;
  readonly findings: readonly Finding[];
  /** The commit that the workspace is at now. */
  readonly gitHead: string | undefined;
}

/** Pure: the same run and the same facts, the same report. */
export function resumeFacts(subject: ResumeSubject): ResumeAnswer {
  const { heading, loaded, ledger, plan, facts, findings } = subject;
  const { pipeline } = loaded;
  const views = taskViews(pipeline, ledger, plan, facts.now);
  const counted = largestStage(pipeline.stages).name;
  const ofStage = views.filter(({ stage }) => stage === counted);
  const next = nextAction(subject, views);
  return {
    heading,
    phase: phaseReached(pipeline.stages, ledger, plan),
    tasks: countTasks(ofStage),
    lastActivity: ledger.updatedAt,
    lastCompleted: lastCompleted(ofStage) ?? lastCompleted(views),
    next,
    stale: findStaleRun(subject),
    inDoubt: doubtfulClaims(subject, views),
    decisions: ledger.decisions.slice(-decisionsMax),
    notices: plan.notices,
    findings,
  };
}

const decisionsMax = 100;

/** The first stage that is not finished; the last one when all are. */
function phaseReached(stages: readonly Stage[], ledger: Ledger, plan: Plan): ResumeAnswer['phase'] {
  const isOpen = (stage: Stage) =>
    stage.isOpen === true || stage.units.some(({ id }) => plan.units.get(id)?.ended !== true);
  const open = stages.findIndex(isOpen);
  const planned = open === -1 ? stages.length - 1 : open;
  const told = stageCalled(stages, ledger.told?.stage);
  // Another tool says how far it came, and not what it did there: then its word is all there is.
  const isSilent = stages[planned]?.units.every(({ id }) => !ledger.steps.byUnit.has(id)) === true;
  const number = told > planned && isSilent ? told : planned;
  return { number, name: stages[number]?.name ?? '', of: stages.length };
}

/** By its name in any spelling, or by its number from 0: `build`, `BUILD`, `2`, `phase_2`. Not found: -1. */
function stageCalled(stages: readonly Stage[], called: string | undefined): number {
  if (called === undefined) return -1;
  const plain = (text: string) => text.trim().toLowerCase().replaceAll(/[ _]/g, '-');
  const named = stages.findIndex(({ name }) => plain(name) === plain(called));
  const number = /^(?:phase-?)?(\d{1,3})$/.exec(plain(called))?.[1];
  return named === -1 && number !== undefined && Number(number) < stages.length ? Number(number) : named;
}

function lastCompleted(views: readonly TaskView[]): ResumeAnswer['lastCompleted'] {
  let last: TaskView | undefined;
  for (const view of views) {
    if (view.doneAt !== undefined && view.doneAt >= (last?.doneAt ?? '')) last = view;
  }
  return last && { unit: last.unit, title: last.title };
}

/** What keeps everything else from starting comes first, then what Pawl does itself, then what others can do. */
function nextAction({ loaded, plan }: ResumeSubject, views: readonly TaskView[]): NextAction {
  const refusals = stillRefused(loaded, plan, noOverrides);
  if (refusals.length > 0)
    return { code: 'refused', guards: [...new Set(refusals.map(({ guard }) => guard))] };
  if (plan.finished) return { code: 'nothing' };
  const asked = stepsThatAsk(plan);
  if (asked.length > 0) return { code: 'decide', cells: asked };
  if (plan.limits.length > 0) return { code: 'look-at-failure', cells: limitedSteps(plan, views) };
  const own = views.filter(({ runnable, role }) => runnable && role === undefined);
  if (own.length > 0) return { code: 'run-phases', cells: stepsOf(own) };
  const [offer] = handOut(loaded.pipeline.stages, plan).offers;
  if (offer !== undefined) return { code: 'claim-task', unit: offer.unit.id, title: offer.unit.title };
  const claims = views.flatMap(({ claim }) => (claim?.live ? [claim] : []));
  if (claims.length > 0) return { code: 'wait-for-claims', claims };
  const blocked = views.filter(({ state }) => state === 'blocked');
  if (blocked.length > 0) return { code: 'unblock', units: blocked.map(({ unit }) => unit) };
  const failed = views.filter(({ state }) => state === 'failed');
  const paused = pausedSteps(plan);
  if (failed.length === 0 && paused !== undefined) return paused;
  // Units that nobody can list yet are the runner's business: it tells what is wrong with the list.
  return failed.length > 0
    ? { code: 'look-at-failure', cells: stepsOf(failed) }
    : { code: 'run-phases', cells: [] };
}

function stepsOf(views: readonly TaskView[]): string[] {
  return views.flatMap(({ unit, phase }) => (phase === undefined ? [] : [stepName(unit, phase)]));
}

function stepsThatAsk(plan: Plan): string[] {
  return [...plan.units.values()].flatMap(({ cells: steps }) =>
    steps.flatMap(({ unit, phase, decision }) =>
      decision.do === 'stop' && asksOf(decision.why) !== undefined ? [stepName(unit, phase)] : [],
    ),
  );
}

/** What waits for a provider, and until when the first of it does. */
function pausedSteps(plan: Plan): NextAction | undefined {
  const paused = pausedStops(plan);
  const [first] = paused.toSorted((a, b) => byCodeUnit(a.why.until, b.why.until));
  if (first === undefined) return undefined;
  const { until, pause } = first.why;
  return {
    code: 'wait-for-provider',
    cells: paused.map(({ unit, phase }) => stepName(unit, phase)),
    until,
    pause,
  };
}

/** What has brought a phase to its limit: its failures, or else what it keeps from starting. */
function limitedSteps({ limits }: Plan, views: readonly TaskView[]): string[] {
  const limited = views.filter((view) => limits.some(({ phase }) => phase === view.phase));
  const failed = limited.filter(({ state }) => state === 'failed');
  return stepsOf(failed.length > 0 ? failed : limited);
}

/** Started, never ended, and nobody is at it: also what Pawl itself was at when it died. */
function doubtfulClaims({ heading, ledger }: ResumeSubject, views: readonly TaskView[]): TaskClaim[] {
  return views.flatMap(({ inDoubt, unit, phase, claim }) => {
    if (!inDoubt || phase === undefined) return [];
    if (claim !== undefined) return [claim];
    const running = findStep(ledger, unit, phase)?.running;
    if (running === undefined || heading.status === 'running') return [];
    return [{ unit, phase, actor: runnerActor, attempt: running.attempt, until: '', live: false }];
  });
}

const leftFilesMax = 100;
const foldersMax = 100;

/** The files of its attempt, those where its outputs belong, and what it has to leave in the workspace. */
function leftBy(
  { workspace, facts }: RunPlan,
  folder: string,
  { unit, phase, attempt }: TaskClaim,
): string[] {
  const attempts = filesBelow(workspace, attemptFolder({ folder }, unit, phase, attempt));
  const outputs = facts.unknown.filter((file) => file.unit === unit && file.phase === phase);
  const left = [...attempts, ...outputs.map(({ path }) => path), ...declaredFiles(workspace, unit, phase)];
  return [...new Set(left)].slice(0, leftFilesMax);
}

function declaredFiles({ env, root, loaded }: Workspace, unit: string, phase: string): string[] {
  const stage = loaded.pipeline.stages.find(({ phases }) => phases.some(({ name }) => name === phase));
  const own = stage?.phases.find(({ name }) => name === phase);
  const task = stage?.units.find(({ id }) => id === unit);
  if (own === undefined || !isForOthers(own) || task === undefined) return [];
  // The paths come from an artifact: none may lead out of the workspace, not even to be looked at.
  const checkInside = createInsideCheck(env.disk, root);
  return taskFiles(own.executor, task).filter((path) => {
    const inside = checkInside(path);
    return inside.ok && env.disk.stat(inside.value)?.kind === 'file';
  });
}

function filesBelow({ env, root }: Workspace, folder: string): string[] {
  const found: string[] = [];
  const folders = [folder];
  for (const at of folders) {
    if (found.length >= leftFilesMax || folders.length > foldersMax) break;
    for (const name of namesIn(env, `${root}/${at}`)) {
      const path = `${at}/${name}`;
      const kind = env.disk.stat(`${root}/${path}`)?.kind;
      if (kind === 'file') found.push(path);
      if (kind === 'folder') folders.push(path);
    }
  }
  return found;
}

function namesIn({ disk }: Environment, path: string): string[] {
  try {
    return disk.list(path) ?? [];
  } catch (error) {
    if (isUnreadable(error)) return [];
    throw error;
  }
}
