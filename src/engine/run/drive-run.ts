import { ok, type Result } from '../../base/result.ts';
import type { EventBody } from '../../model/event.ts';
import type { Failure } from '../../model/failure.ts';
import type { Notice } from '../../model/reason.ts';
import type { Overrides } from '../../planner/overrides.ts';
import { newestState, planOf, planRun } from '../../planner/run.ts';
import { selectionCounts } from '../../planner/scope.ts';
import { type RunContext, record } from '../../runner/context.ts';
import type { SittingOutcome } from '../../runner/outcome.ts';
import { countSteps, outputFolders } from '../observe/board.ts';
import { gatherFacts } from '../observe/facts.ts';
import { callsInDoubt, retryTime } from '../observe/open-calls.ts';
import { createRunHeading } from '../open/find-run.ts';
import type { Hold } from '../open/hold.ts';
import { type OpenedRun, shownFindings } from '../open/open-run.ts';
import type { Workspace } from '../open/workspace.ts';
import { askQuestions } from './ask.ts';
import { type PreparedDrive, prepareDrive } from './prepare-drive.ts';
import type { RunAnswer, RunRequest } from './run-request.ts';
import { runUntilIdle } from './run-until-idle.ts';
import { stopSignals } from './stop-signals.ts';

export { lockRun, releaseAfter } from '../open/hold.ts';
export { lockNewRun } from '../open/new-run.ts';

/** What every answer of a run says, whichever way it comes about. */
export interface AnswerFrame {
  readonly workspace: Workspace;
  readonly elapsed: () => number;
  /** What there was to say before anything was done. */
  readonly notices?: readonly Notice[];
}

/** One invocation on a run whose lock is held: looks again, records what was decided, executes the plan, verifies the outputs. */
export async function driveRun(
  frame: AnswerFrame,
  hold: Hold,
  opened: OpenedRun | undefined,
  overrides: Overrides,
  request: RunRequest,
): Promise<Result<RunAnswer, Failure>> {
  const over = new AbortController();
  try {
    const signals = stopSignals(frame.workspace, request, over.signal);
    const sitting = await prepareDrive(frame.workspace, hold, opened, overrides, request, signals);
    if (!sitting.ok) return sitting;
    const worked = await runUntilIdle(frame.workspace, hold, sitting.value, opened, request);
    if (!worked.ok) return worked;
    const { workspace, run, schedule, projections, done } = worked.value;
    const { owed } = sitting.value;
    const outcome = await askQuestions(run, await verifyAtEnd(workspace, run, done));
    const state = newestState(schedule.context, schedule.plans);
    await projections.stateCaughtUp(state, run.observe);
    const ended: EventBody = {
      type: 'run_ended',
      status: outcome.status,
      ...(state !== undefined && { state: state.hash }),
    };
    await record(run, ...(owed ? proofOf(run) : []), ended);
    projections.end();
    await hold.projections.brief.written();
    const sat = { ...sitting.value, run, schedule };
    return ok(answerOf({ ...frame, workspace }, hold, opened, sat, outcome));
  } finally {
    hold.projections.timer.close();
    over.abort();
  }
}

/** Compares every output with its record once more, because a file may have been edited while the run went on. */
async function verifyAtEnd(
  workspace: Workspace,
  run: RunContext,
  outcome: SittingOutcome,
): Promise<SittingOutcome> {
  if (outcome.status !== 'completed') return outcome;
  const facts = await gatherFacts(workspace, run.folder, run.ledger, run.store, {
    deep: false,
    restore: false,
  });
  if (facts.outputs.size === 0) return outcome;
  for (const [path, fact] of facts.outputs) run.facts.outputs.set(path, fact);
  const { finished, refusals } = planRun(workspace.loaded, run.ledger, facts);
  return finished ? outcome : { ...outcome, status: 'stopped', refusals };
}

/**
 * Only what was put there under an earlier boot is proven: what was restored since is not on the disk yet. At the end
 * of a sitting, for what a gate sent back is not restored, and lies there unproven until the next round replaces it.
 */
function proofOf({ facts, ledger }: RunContext): EventBody[] {
  return facts.outputs.size > 0 ? [] : [{ type: 'outputs_verified', upTo: ledger.bootSince - 1 }];
}

function answerOf(
  { workspace, elapsed, notices = [] }: AnswerFrame,
  hold: Hold,
  opened: OpenedRun | undefined,
  { run, schedule, reopened, changes, outside }: PreparedDrive,
  outcome: SittingOutcome,
): RunAnswer {
  // The schedule has kept its plans true all along.
  const { scope } = schedule;
  const after = { ...planOf(schedule.context, schedule.plans), ...(scope !== undefined && { scope }) };
  const selection = selectionCounts(after);
  const inDoubt = outcome.interrupted ? callsInDoubt(after) : [];
  return {
    heading: createRunHeading(workspace, { id: hold.id, ledger: run.ledger, status: outcome.status }),
    kind: opened === undefined ? 'new' : 'resumed',
    reopened,
    interrupted: outcome.interrupted,
    ...(inDoubt.length > 0 && { inDoubt }),
    cells: countSteps(after, outcome.attempts.steps),
    ...(selection !== undefined && { selection }),
    ...(outcome.spending !== undefined && { spending: outcome.spending }),
    ran: ranIn(outcome.attempts),
    ...(outcome.attempts.succeeded > 0 && { outputs: outputFolders(workspace) }),
    others: outcome.others,
    stops: outcome.stops,
    limits: outcome.limits,
    ...(outcome.halts.length > 0 && { halts: outcome.halts }),
    ...retryTime(after),
    refusals: outcome.refusals,
    notices: [
      ...notices,
      ...changes,
      ...importNotices(hold),
      ...asideNotice(hold),
      ...projectionNotices(hold),
      ...after.notices,
      ...outside,
    ],
    findings: opened === undefined ? [] : shownFindings(opened),
    elapsedMs: elapsed(),
  };
}

function importNotices({
  projections: {
    brief: { imported },
  },
}: Hold): Notice[] {
  return imported === undefined ? [] : [imported];
}

function projectionNotices({ projections }: Hold): Notice[] {
  return projections.troubles.list().map((trouble) => ({ code: 'projection-failed', ...trouble }));
}

/** The file that the manifest names for the brief cannot be written into: whoever keeps it has to know. */
function asideNotice({
  projections: {
    brief: { trouble },
  },
}: Hold): Notice[] {
  return trouble === undefined ? [] : [{ code: 'brief-aside', path: trouble.path, why: trouble.reason }];
}

function ranIn({ succeeded, failed, reused }: SittingOutcome['attempts']): RunAnswer['ran'] {
  return { succeeded, failed, ...(reused > 0 && { reused }) };
}
