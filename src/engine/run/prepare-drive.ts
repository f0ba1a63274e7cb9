import { fail, ok, type Result } from '../../base/result.ts';
import { knownSpending } from '../../ledger/spent.ts';
import type { EventBody } from '../../model/event.ts';
import { isForOthers } from '../../model/executor.ts';
import type { Failure } from '../../model/failure.ts';
import type { Notice } from '../../model/reason.ts';
import { runFile } from '../../model/run-folder.ts';
import { largestStage } from '../../pipeline/layout.ts';
import type { LoadedPipeline } from '../../pipeline/loaded.ts';
import { shortBudgets, spendings } from '../../planner/budget.ts';
import { changedPace } from '../../planner/notices.ts';
import type { Overrides } from '../../planner/overrides.ts';
import { type Plan, type UnitPlan, valueChanges, wasFinished } from '../../planner/plan.ts';
import type { ChosenSteps } from '../../planner/rerun.ts';
import { newestState, planRun } from '../../planner/run.ts';
import { insideScope, planWithin } from '../../planner/scope.ts';
import { ProjectedFiles } from '../../projections/projected-files.ts';
import { type RunContext, record } from '../../runner/context.ts';
import { restoreOutputs } from '../../runner/promotion.ts';
import { askPeople, unasked } from '../../runner/questions.ts';
import { Schedule } from '../../runner/schedule.ts';
import { keepAdopted } from '../observe/adopted-bytes.ts';
import { boardOf } from '../observe/board.ts';
import { withUserChecks } from '../observe/changed-checks.ts';
import { earlierResults } from '../observe/earlier-results.ts';
import { type FactOptions, factOptions, type GatheredFacts, gatherFacts } from '../observe/facts.ts';
import { findMissing } from '../observe/missing-providers.ts';
import {
  adoptFacts,
  eventsForOverrides,
  isProofOwed,
  narrowToSelection,
  type RunPlan,
  requireModules,
} from '../observe/plan-from-disk.ts';
import { takeClaimLock } from '../open/claim-lock.ts';
import { createRunHeading } from '../open/find-run.ts';
import { gitHead } from '../open/git-head.ts';
import { type Hold, takeInNews } from '../open/hold.ts';
import { runCreated } from '../open/new-run.ts';
import type { OpenedRun } from '../open/open-run.ts';
import { recover } from '../open/recover.ts';
import { withoutOutdatedLists } from '../open/resolve-pipeline.ts';
import { keepOwnFiles, keepSources } from '../open/revision.ts';
import { takeOverEvents } from '../open/take-over.ts';
import type { Workspace } from '../open/workspace.ts';
import type { RunRequest } from './run-request.ts';
import type { StopSignals } from './stop-signals.ts';

/** A run that is held, with all that its first attempt needs. */
export interface PreparedDrive {
  readonly run: RunContext;
  readonly schedule: Schedule;
  readonly projections: ProjectedFiles;
  readonly reopened: boolean;
  /** What changed in the manifest since, and is taken as it is now. */
  readonly changes: readonly Notice[];
  /** A proof of every output, after a reboot. */
  readonly owed: boolean;
  /** The steps that the invocation is about; undefined: all. */
  readonly chosen: ChosenSteps | undefined;
  /** Changes of other steps. */
  readonly outside: readonly Notice[];
}

/**
 * Everything before the first attempt. With the run in hand it is all looked at again: another process may have been
 * here in between. The plans made on the way are as large as the run, and are let go of at the end.
 */
export async function prepareDrive(
  workspace: Workspace,
  hold: Hold,
  opened: OpenedRun | undefined,
  overrides: Overrides,
  request: RunRequest,
  signals: StopSignals,
): Promise<Result<PreparedDrive, Failure>> {
  const observe = request.observer?.progress.bind(request.observer) ?? (() => undefined);
  const head = gitHead(hold.disk, hold.root);
  // Before this invocation records anything.
  const changedAfter = hold.ledger.worked.until;
  const recovered = await recoverAlone(workspace, hold, observe, request.takeover ?? false);
  if (!recovered.ok) return recovered;
  const options = { ...factOptions(request), changedAfter };
  const facts = await lookAgain(workspace, hold, overrides, options);
  const { ledger, store } = hold;
  const all = planRun(workspace.loaded, ledger, facts);
  const seen = narrowToSelection({ workspace, ledger, store, facts, plan: all }, request, overrides);
  const { chosen } = seen;
  let { plan } = seen;
  const planNow = (loaded: RunContext['loaded']) =>
    planWithin(loaded, planRun(loaded, ledger, facts), chosen);
  const wanted = eventsForOverrides(seen, overrides);
  if (!wanted.ok) return wanted;

  let run: RunContext = { ...hold, facts, observe, ...signals, ...wishesOf(workspace, hold, request) };
  const modules = requireModules(workspace, plan, wanted.value);
  if (!modules.ok) return modules;
  const missing = await findMissing(run, run.process.variables, plan);
  if (missing !== undefined) return fail(missing);
  const changes = valueChanges(plan);
  const owed = opened !== undefined && isProofOwed(seen);
  const { takeover = false } = request;
  await begin(run, workspace, hold, { opened, plan, head, takeover }, wanted.value);
  await showImported(hold, observe);
  // In a new run there is nothing that the first revision could change.
  if (opened !== undefined && (wanted.value.length > 0 || takeover)) plan = planNow(workspace.loaded);
  // What was put back may let others be found that have to be.
  for (let round = 0; round < restoreRoundsMax; round++) {
    if (!(await restoreOutputs(run, insideScope(plan).units.values()))) break;
    plan = planNow(workspace.loaded);
  }

  if (await askOfInterruptions(run, plan)) plan = planNow(workspace.loaded);

  const loaded = withoutOutdatedLists(run.loaded, plan);
  if (loaded !== run.loaded) {
    run = { ...run, loaded };
    hold.projections.brief.pipelineChanged(loaded.pipeline);
    plan = planNow(loaded);
  }
  const outside = plan.notices.filter(({ code }) => code === 'changed-outside');
  const schedule = new Schedule(run, plan);
  const projections = new ProjectedFiles(run, schedule.plans, hold.projections);
  projections.setForeignAside(run.observe, facts.state?.initial);
  projections.rebuild();
  hold.projections.timer.keepUp(projections);
  const newest = newestState(schedule.context, plan.units);
  await projections.stateChanged(newest, run.observe, facts.state?.shown?.hash);
  const inside = insideScope(plan);
  const heading = createRunHeading(workspace, { id: hold.id, ledger: run.ledger, status: 'running' });
  const kind = opened === undefined ? 'new' : 'resumed';
  request.observer?.begun(boardOf(heading, kind, workspace.loaded.pipeline, run.ledger, inside));
  await warnOfBudgets({ ...seen, plan: inside }, hold, run);
  const reopened = opened?.status === 'completed' && !plan.finished;
  return ok({ run, schedule, projections, reopened, changes, owed, chosen, outside });
}

async function showImported({ projections: { brief } }: Hold, observe: RunContext['observe']): Promise<void> {
  // A document that was kept before the run is imported with the first writing.
  await brief.written();
  const { imported } = brief;
  if (imported !== undefined)
    observe({ type: 'brief-imported', path: imported.path, backup: imported.backup });
}

/** A check of the user's own is asked only where its steps would run again. */
async function lookAgain(
  workspace: Workspace,
  { folder, ledger, root, store }: Hold,
  overrides: Overrides,
  options: FactOptions,
): Promise<GatheredFacts> {
  const facts = await gatherFacts(workspace, folder, ledger, store, options);
  if (!isRerunAnswered(workspace.loaded, overrides)) return facts;
  return await withUserChecks(workspace, ledger, facts, `${root}/${runFile(folder, 'staging')}`);
}

function isRerunAnswered({ pipeline }: LoadedPipeline, { rerunChanged, rerunNamed }: Overrides): boolean {
  if (rerunChanged !== undefined || rerunNamed !== undefined || pipeline.onChange === 'rerun') return true;
  return pipeline.stages.some(({ phases }) => phases.some(({ onChange }) => onChange === 'rerun'));
}

const restoreRoundsMax = 10;

/** At once, because the next step may end this process as well, and then no one would have been asked. */
async function askOfInterruptions(run: RunContext, plan: Plan): Promise<boolean> {
  const questions = [...insideScope(plan).units.values()]
    .flatMap(unasked)
    .filter(({ question }) => question === 'interruptions');
  if (questions.length === 0) return false;
  await askPeople(run, questions);
  return true;
}

/** What the call asks of this invocation alone. */
function wishesOf(
  workspace: Workspace,
  { id, ledger }: Hold,
  request: RunRequest,
): Pick<RunContext, 'noReuse' | 'waits' | 'earlier' | 'jobs' | 'spendLimit'> {
  const { noReuse = false, wait: waits = false, jobs, maxUsd } = request;
  return {
    noReuse,
    waits,
    earlier: earlierResults(workspace, id, request),
    ...(jobs !== undefined && { jobs }),
    ...(maxUsd !== undefined && { spendLimit: { maxUsd, before: knownSpending(ledger) } }),
  };
}

/** Before anything is paid: what is planned may cost more than a budget has left. */
async function warnOfBudgets(
  seen: RunPlan,
  hold: Hold,
  { observe, earlier, noReuse }: Pick<RunContext, 'observe' | 'earlier' | 'noReuse'>,
): Promise<void> {
  const { pipeline } = seen.workspace.loaded;
  if (spendings(pipeline, hold.ledger).every(({ limit }) => limit === 'budget_time')) return;
  const { plannedCalls } = await import('../observe/planned-calls.ts');
  const { reusableSteps } = await import('../observe/reusable-steps.ts');
  const reusable = await reusableSteps(seen, hold.folder, earlier, noReuse);
  const planned = (await plannedCalls(seen, hold.folder, reusable))?.phases ?? [];
  for (const short of shortBudgets(pipeline, hold.ledger, planned)) observe({ type: 'budget-short', short });
}

/** Where others complete work, none of them may be in the middle of it: what it has staged looks like leftovers. */
export async function recoverAlone(
  workspace: Workspace,
  hold: Hold,
  observe: RunContext['observe'],
  takeover: boolean,
): Promise<Result<undefined, Failure>> {
  const isShared = workspace.loaded.pipeline.stages.some(({ phases }) => phases.some(isForOthers));
  const turn = isShared ? await takeClaimLock(workspace, hold, { takeover }) : undefined;
  if (turn !== undefined && !turn.ok) return turn;
  try {
    takeInNews(hold);
    await recover(hold, observe);
  } finally {
    turn?.value.release();
  }
  return ok(undefined);
}

/** What a guard would refuse and a person has allowed is as good as it was. */
function isKept(unit: UnitPlan | undefined): boolean {
  return unit !== undefined && (unit.finished || (unit.refusals.length > 0 && wasFinished(unit)));
}

function resumedEvent(
  { host, loaded, ledger }: RunContext,
  { plan, head, takeover }: Pick<Before, 'plan' | 'head' | 'takeover'>,
): EventBody {
  const { units } = largestStage(loaded.pipeline.stages);
  const from = units.find(({ id }) => !isKept(plan.units.get(id)))?.id;
  const pace = changedPace(ledger, loaded.pipeline);
  return {
    type: 'run_resumed',
    boot: host.self.boot,
    ...(from !== undefined && { from }),
    ...(pace !== undefined && { pace }),
    ...(head !== undefined && { gitHead: head }),
    ...(takeover && { takeover }),
  };
}

/** What is known when the run is resumed. */
interface Before {
  readonly opened: OpenedRun | undefined;
  readonly plan: Plan;
  /** The commit of the workspace. */
  readonly head: string | undefined;
  readonly takeover: boolean;
}

/** Writes down what was decided before anything runs, so that a crash right after it changes nothing. */
async function begin(
  run: RunContext,
  workspace: Workspace,
  hold: Hold,
  before: Before,
  wanted: readonly EventBody[],
): Promise<void> {
  const first: EventBody[] = before.opened === undefined ? [] : [resumedEvent(run, before)];
  // Named by its id, a run that died before its first event is taken up as the new one that it is.
  if (run.ledger.run === undefined) first.unshift(runCreated(workspace, hold));
  const takenOver = before.opened?.isToldOnly ? takeOverEvents(workspace, run.ledger) : [];
  if (before.opened?.isToldOnly) first.unshift(runCreated(workspace, hold), ...takenOver);
  await keepSources(workspace, run.store);
  await keepOwnFiles(run, before.plan.units.values());
  await keepAdopted(run, [...takenOver, ...wanted]);
  await record(run, ...first, ...wanted);
  adoptFacts(run.facts, wanted);
}
