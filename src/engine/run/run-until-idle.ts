import { formatTime } from '../../base/clock.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Failure } from '../../model/failure.ts';
import { StepSet } from '../../model/names.ts';
import { placePipeline } from '../../pipeline/layout.ts';
import type { LoadedPipeline } from '../../pipeline/loaded.ts';
import { chooseSteps } from '../../planner/rerun.ts';
import { planOf, planRun } from '../../planner/run.ts';
import { insideScope, planWithin } from '../../planner/scope.ts';
import { selectionProblem } from '../../planner/selection.ts';
import { ProjectedFiles } from '../../projections/projected-files.ts';
import { type RunContext, record } from '../../runner/context.ts';
import type { SittingOutcome } from '../../runner/outcome.ts';
import { carryOut } from '../../runner/run-plan.ts';
import { Schedule } from '../../runner/schedule.ts';
import { boardOf } from '../observe/board.ts';
import { createRunHeading } from '../open/find-run.ts';
import { type Hold, takeInNews } from '../open/hold.ts';
import type { OpenedRun } from '../open/open-run.ts';
import { mayListBeRewritten } from '../open/resolve-pipeline.ts';
import { isRecordedManifest } from '../open/revision.ts';
import { listUnits } from '../open/unit-lists.ts';
import { keepUnitValues, unitsBefore } from '../open/unit-values.ts';
import type { Workspace } from '../open/workspace.ts';
import type { PreparedDrive } from './prepare-drive.ts';
import type { RunRequest } from './run-request.ts';

export interface DriveState extends Pick<PreparedDrive, 'run' | 'schedule' | 'projections'> {
  readonly workspace: Workspace;
  readonly done: SittingOutcome;
}

/**
 * Carries out the plan; and again, when a stage has listed the units of a later one, or somebody outside has done a
 * part of it meanwhile.
 */
export async function runUntilIdle(
  first: Workspace,
  hold: Hold,
  sitting: PreparedDrive,
  opened: OpenedRun | undefined,
  request: RunRequest,
): Promise<Result<DriveState, Failure>> {
  let { run, schedule, projections, chosen } = sitting;
  let workspace: Workspace = { ...first, loaded: run.loaded };
  let done = await carryOut(run, schedule, projections);
  while (!done.interrupted) {
    const hasNews = takeInNews(hold);
    const listed = await listAgain(workspace, run, schedule, hasNews);
    if (!listed.ok) {
      await record(run, { type: 'run_ended', status: 'stopped' });
      projections.flush();
      return fail(withDone(listed.failure, done));
    }
    if (listed.value === undefined && !hasNews) break;
    const fresh = listed.value ?? workspace.loaded;
    if (listed.value !== undefined && isAnother(run, fresh)) {
      const { refusals } = planRun(fresh, run.ledger, run.facts);
      done = { ...done, status: 'stopped', refusals };
      break;
    }
    // What a template says now is for the next sitting: this one goes on by what it has recorded.
    const { statics, templates } = workspace.loaded;
    const loaded = { ...fresh, statics, templates };
    projections.flush();
    workspace = { ...workspace, loaded };
    keepUnitValues(loaded, run.store);
    const values = unitsBefore(loaded, run.ledger, run.store);
    run = { ...run, loaded, facts: { ...run.facts, now: formatTime(run.clock.now()), unitsBefore: values } };
    const all = planRun(loaded, run.ledger, run.facts);
    // Only now that every unit is listed it can be known that a name was a slip.
    const problem = chosen && selectionProblem(loaded.pipeline, chosen.selection);
    if (problem !== undefined) {
      await record(run, { type: 'run_ended', status: 'stopped' });
      return fail({ reason: 'usage', problem });
    }
    chosen = chosen && chooseSteps(loaded.pipeline, run.ledger, all, chosen.selection, undefined, chosen);
    const plan = planWithin(loaded, all, chosen);
    hold.projections.brief.pipelineChanged(loaded.pipeline);
    schedule = new Schedule(run, plan);
    projections = new ProjectedFiles(run, schedule.plans, hold.projections);
    projections.setForeignAside(run.observe, run.facts.state?.initial);
    hold.projections.timer.keepUp(projections);
    const heading = createRunHeading(workspace, { id: hold.id, ledger: run.ledger, status: 'running' });
    const kind = opened === undefined ? 'new' : 'resumed';
    request.observer?.begun(boardOf(heading, kind, loaded.pipeline, run.ledger, insideScope(plan)));
    const more = await carryOut(run, schedule, projections);
    done = { ...more, attempts: sumOf(done.attempts, more.attempts) };
  }
  return ok({ workspace, run, schedule, projections, done });
}

/** The pipeline with units that have been listed since, placed; undefined: it has no others than before. */
async function listAgain(
  workspace: Workspace,
  run: RunContext,
  { context, plans }: Schedule,
  hasNews: boolean,
): Promise<Result<LoadedPipeline | undefined, Failure>> {
  if (!hasOpenStage(workspace) && !hasNews) return ok(undefined);
  const listed = await listUnits(workspace, run.ledger);
  if (!listed.ok) {
    const lists = (listed.failure.reason === 'manifest-invalid' && listed.failure.lists) || [];
    // Its makers are not done with it: why they are not is what the run ends with.
    return mayListBeRewritten(lists, planOf(context, plans)) ? ok(undefined) : listed;
  }
  if (listed.value === undefined) return ok(undefined);
  if (!hasNews && isAsOpen(workspace, listed.value)) return ok(undefined);
  return ok(placePipeline(listed.value.loaded, run.folder));
}

/** Whoever is told of it has to know what was done before. */
function withDone(failure: Failure, { attempts: { succeeded, failed } }: SittingOutcome): Failure {
  const isAny = succeeded + failed > 0;
  return failure.reason === 'manifest-invalid' && isAny
    ? { ...failure, ran: { succeeded, failed } }
    : failure;
}

/** Somebody changed the manifest meanwhile: that is for a guard, and not to be gone on with. */
function isAnother({ ledger }: RunContext, loaded: LoadedPipeline): boolean {
  return !isRecordedManifest(loaded, ledger);
}

function hasOpenStage({ loaded }: Workspace): boolean {
  return loaded.pipeline.stages.some(({ isOpen }) => isOpen);
}

function isAsOpen(before: Workspace, after: Workspace): boolean {
  const count = ({ loaded }: Workspace) => loaded.pipeline.stages.filter(({ isOpen }) => isOpen).length;
  return count(before) === count(after);
}

function sumOf(a: SittingOutcome['attempts'], b: SittingOutcome['attempts']): SittingOutcome['attempts'] {
  const steps = new StepSet();
  steps.addAll(a.steps);
  steps.addAll(b.steps);
  const left = new StepSet();
  left.addAll(a.left);
  left.addAll(b.left);
  const succeeded = a.succeeded + b.succeeded;
  return { succeeded, reused: a.reused + b.reused, failed: a.failed + b.failed, steps: steps, left };
}
