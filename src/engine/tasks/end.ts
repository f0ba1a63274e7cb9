import { formatTime } from '../../base/clock.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { findStep, type Ledger } from '../../ledger/ledger.ts';
import type { Cost, EventBody } from '../../model/event.ts';
import { isForOthers } from '../../model/executor.ts';
import type { Failure } from '../../model/failure.ts';
import type { Plan } from '../../planner/plan.ts';
import { ProjectedFiles } from '../../projections/projected-files.ts';
import { revisionFailure } from '../../runner/attempts/failure.ts';
import { messageLengthMax } from '../../runner/attempts/run-attempt.ts';
import { type RunContext, record } from '../../runner/context.ts';
import { planRunFromDisk, planWith, type RunPlan } from '../observe/plan-from-disk.ts';
import type { TaskAnswer } from '../observe/task-answers.ts';
import { countTasks, sharedViews, taskViews } from '../observe/task-views.ts';
import type { LockedClaims } from '../open/claim-lock.ts';
import type { Environment } from '../open/environment.ts';
import { createRunHeading } from '../open/find-run.ts';
import type { Hold } from '../open/hold.ts';
import { findRunOwner } from '../open/open-run.ts';
import { type ClaimChange, openClaimSession, withClaimLock } from './claim-session.ts';
import { runContext } from './claim-task.ts';
import { claimLost, findPiece, findUnit, isMine, type Piece } from './mine.ts';
import type { ActorRequest } from './requests.ts';

export interface TaskRequest extends ActorRequest {
  /** `T001`, or `T001/verify` where a unit has several phases that are claimed. */
  readonly unit: string;
  /** The number of the claim: the fence. Absent: whichever the actor has. */
  readonly attempt?: number | undefined;
}

export interface FailRequest extends TaskRequest {
  readonly reason: string;
  /** An earlier phase that has to be done again first. */
  readonly revise?: string | undefined;
  /** What the work has cost, as the actor says. */
  readonly cost?: Cost | undefined;
}

/** The work failed: it can be claimed again while it has attempts left. */
export function failTask(env: Environment, request: FailRequest): Promise<Result<TaskAnswer, Failure>> {
  const { actor, reason, revise, cost } = request;
  const spent = cost === undefined ? {} : { cost };
  const message = reason.slice(0, messageLengthMax);
  return endClaim(env, request, 'failed', reason, (at, ms, { phase, unit }, hold) => {
    if (revise === undefined)
      return {
        type: 'attempt_failed',
        ...at,
        reason: 'agent-failed',
        message,
        ms,
        facts: { actor },
        ...spent,
      };
    const ended = revisionFailure(hold, { unit, phase }, { phase: revise, reason });
    return ended.reason === 'revision-requested'
      ? { type: 'revision_requested', ...at, to: revise, reason: message, ms, ...spent }
      : {
          type: 'attempt_failed',
          ...at,
          reason: ended.reason,
          message,
          ms,
          facts: { actor, to: revise },
          ...spent,
        };
  });
}

/** Gives a claim back, as if it had never been made. */
export function releaseTask(env: Environment, request: TaskRequest): Promise<Result<TaskAnswer, Failure>> {
  return endClaim(env, request, 'released', undefined, (at, ms) => ({
    type: 'attempt_interrupted',
    ...at,
    ms,
  }));
}

/** Still at it: the lease starts anew. */
export function heartbeat(env: Environment, request: TaskRequest): Promise<Result<TaskAnswer, Failure>> {
  return endClaim(env, request, 'renewed', undefined, (at, _ms, { phase }) => {
    const leaseMs = isForOthers(phase) ? phase.executor.leaseMs : 0;
    return { type: 'lease_renewed', ...at, until: formatTime(env.clock.now() + leaseMs) };
  });
}

/** The unit cannot go on before somebody does something about it. A claim that the actor has on it is given back. */
export async function blockTask(
  env: Environment,
  request: TaskRequest & { readonly reason: string },
): Promise<Result<TaskAnswer, Failure>> {
  return await aboutUnit(env, request, 'blocked', request.reason, (unit, ledger) => {
    const events: EventBody[] = [{ type: 'task_blocked', unit, reason: request.reason }];
    for (const step of ledger.steps.byUnit.get(unit) ?? [])
      if (step.running !== undefined && isMine(step, { actor: request.actor }))
        events.push({
          type: 'attempt_interrupted',
          unit,
          phase: step.phase,
          attempt: step.running.attempt,
          ms: 0,
        });
    return events;
  });
}

/** What kept the unit from going on is settled. */
export async function unblockTask(
  env: Environment,
  request: TaskRequest & { readonly note?: string | undefined },
): Promise<Result<TaskAnswer, Failure>> {
  const { note } = request;
  return await aboutUnit(env, request, 'unblocked', note, (unit, ledger) =>
    ledger.blocked.some((blocked) => blocked.unit === unit)
      ? [{ type: 'task_unblocked', unit, ...(note !== undefined && { note }) }]
      : [],
  );
}

type Act = TaskAnswer['act'];

/** One event about a claim that the actor has. */
async function endClaim(
  env: Environment,
  request: TaskRequest,
  act: Act,
  reason: string | undefined,
  eventOf: (
    at: { unit: string; phase: string; attempt: number },
    ms: number,
    piece: Piece,
    hold: Hold,
  ) => EventBody,
): Promise<Result<TaskAnswer, Failure>> {
  const visited = await openClaimSession(env, request);
  if (!visited.ok) return visited;
  return await withClaimLock(visited.value, async (desk) => {
    const { workspace, hold } = desk;
    const piece = findPiece(workspace, hold.ledger, request.unit, request.actor);
    if (!piece.ok) return piece;
    const { unit, phase } = piece.value;
    const step = findStep(hold.ledger, unit.id, phase.name);
    const running = step?.running;
    if (running === undefined || !isMine(step, request))
      return fail(claimLost(piece.value, step, request, undefined));
    const before = await seenAt(desk);
    const at = { unit: unit.id, phase: phase.name, attempt: running.attempt };
    const ms = Math.max(0, env.clock.now() - Date.parse(running.at));
    const event = eventOf(at, ms, piece.value, hold);
    await record(hold, event);
    const leaseUntil = event.type === 'lease_renewed' ? event.until : undefined;
    const told = { act, actor: request.actor, ...at, leaseUntil, reason };
    return ok({
      answer: await answerAfter(desk, before, told),
      // Whoever was displaced meanwhile must not believe that the task is still theirs.
      stands: (ledger) => act !== 'renewed' || isMine(findStep(ledger, at.unit, at.phase), request),
      lost: claimLost(piece.value, step, request, undefined),
    });
  });
}

/** Events about a unit, whoever has it. */
async function aboutUnit(
  env: Environment,
  request: TaskRequest,
  act: Act,
  reason: string | undefined,
  eventsOf: (unit: string, ledger: Ledger) => readonly EventBody[],
): Promise<Result<TaskAnswer, Failure>> {
  const visited = await openClaimSession(env, request);
  if (!visited.ok) return visited;
  const found = findUnit(visited.value.workspace, request.unit);
  if (!found.ok) return found;
  const unit = found.value.unit.id;
  return await withClaimLock(
    visited.value,
    async (desk): Promise<Result<ClaimChange<TaskAnswer>, Failure>> => {
      const before = await seenAt(desk);
      const events = eventsOf(unit, desk.hold.ledger);
      if (events.length > 0) await record(desk.hold, ...events);
      const told = {
        act,
        actor: request.actor,
        unit,
        phase: undefined,
        attempt: undefined,
        leaseUntil: undefined,
      };
      const answer = await answerAfter(desk, before, { ...told, reason, again: events.length === 0 });
      return ok({ answer, stands: () => true, lost: { reason: 'not-claimed', unit, actor: request.actor } });
    },
  );
}

/** How everything stands, with the run in hand. */
export function seenAt({ workspace, opened, hold }: LockedClaims): Promise<RunPlan> {
  return planRunFromDisk(workspace, { ...opened, ledger: hold.ledger }, { deep: false, restore: false });
}

type Told = Pick<TaskAnswer, 'act' | 'actor' | 'unit' | 'phase' | 'attempt' | 'leaseUntil' | 'reason'> &
  Partial<Pick<TaskAnswer, 'outputs' | 'files' | 'again'>>;

/** What came of it, once it is on record; the files that people read are brought up to date. */
export async function answerAfter(desk: LockedClaims, before: RunPlan, told: Told): Promise<TaskAnswer> {
  const { workspace, opened, hold } = desk;
  const wasReady = readyUnits(before.plan);
  const after = planWith(before, []);
  const { plan } = after;
  const run = runContext(desk, after);
  if (plan.finished && findRunOwner(workspace.env, opened) === undefined && hold.ledger.ended !== 'completed')
    await record(hold, { type: 'run_ended', status: 'completed' });
  showUnit(run, hold, plan, told.unit);
  const views = taskViews(workspace.loaded.pipeline, hold.ledger, plan, after.facts.now);
  return {
    heading: createRunHeading(workspace, {
      ...opened,
      ledger: hold.ledger,
      status: plan.finished ? 'completed' : opened.status,
    }),
    outputs: [],
    files: [],
    again: false,
    ...told,
    finished: plan.units.get(told.unit)?.finished ?? false,
    opened: [...readyUnits(plan)].filter((unit) => unit !== told.unit && !wasReady.has(unit)),
    tasks: countTasks(sharedViews(workspace.loaded.pipeline, views)),
  };
}

function showUnit(run: RunContext, hold: Hold, plan: Plan, unit: string): void {
  const projections = new ProjectedFiles(run, plan.units, hold.projections);
  projections.unitChanged(unit, true);
  projections.flush();
}

function readyUnits(plan: Plan): Set<string> {
  const units = new Set<string>();
  for (const { unit, cells: steps } of plan.units.values())
    if (steps.some(({ decision }) => decision.do === 'run')) units.add(unit);
  return units;
}
