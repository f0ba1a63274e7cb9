import { setMaxListeners } from 'node:events';
import { formatTime } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import { findCell } from '../ledger/ledger.ts';
import type { Stage } from '../model/definition.ts';
import { type CellName, cellName } from '../model/names.ts';
import { asksOf, type Notice, type ReachedLimit, type Refusal, type StopReason } from '../model/reason.ts';
import { reachedLimits } from '../planner/limits.ts';
import { newestState } from '../planner/run.ts';
import { askPeople, unasked } from './ask.ts';
import type { Assignment } from './assignment.ts';
import { type AttemptOutcome, attemptCell } from './attempt.ts';
import type { RunContext } from './context.ts';
import type { PreparedCall } from './models/prepared-call.ts';
import type { Projections } from './projections.ts';
import { restoreOutputs } from './restore.ts';
import { retryAfter, type Tries } from './retry.ts';
import type { Schedule } from './schedule.ts';
import { type Halt, Starts } from './starts.ts';

/** How a sitting ended. */
export interface SittingOutcome {
  readonly status: 'completed' | 'stopped' | 'waiting_human' | 'paused';
  readonly interrupted: boolean;
  readonly stops: readonly Stop[];
  /** Guards that only showed themselves on the way. */
  readonly refusals: readonly Refusal[];
  readonly notices: readonly Notice[];
  readonly limits: readonly ReachedLimit[];
  readonly attempts: Attempts;
  readonly others: WorkOfOthers;
  /** Models that nothing more was asked of. */
  readonly halts: readonly Halt[];
}

/** Cells that somebody outside has to do. */
export interface WorkOfOthers {
  /** Ready to be claimed. */
  readonly ready: number;
  readonly claimed: number;
}

/** What was tried in a sitting. */
export interface Attempts {
  readonly succeeded: number;
  readonly failed: number;
  /** Cells that succeeded, however often. */
  readonly cells: ReadonlySet<CellName>;
}

/** A cell that keeps the run from being complete. */
export type Stop =
  | { readonly unit: string; readonly phase: string; readonly why: StopReason }
  | {
      readonly unit: string;
      readonly phase: string;
      readonly why: {
        readonly code: 'failed';
        readonly failure: string;
        readonly message: string;
        readonly facts?: JsonObject | undefined;
      };
    };

/** Carries out a plan: starts what can be started, as much at once as the pace allows, until nothing is left. */
export async function carryOut(
  run: RunContext,
  schedule: Schedule,
  projections: Projections,
): Promise<SittingOutcome> {
  const counts: Counts = { succeeded: 0, failed: 0, cells: new Set(), tries: new Map() };
  const restoring = new Set<string>();
  const { concurrency } = run.loaded.pipeline.pace;
  const workers = Array.from({ length: concurrency }, () => undefined);
  const starts = new Starts(run, schedule);
  const idle: (() => void)[] = [];
  let busy = 0;
  let told: number | undefined;
  // Trouble under one attempt ends the sitting. The others end with it: a command would go on with nobody to wait for it.
  const trouble = new AbortController();
  const stop = AbortSignal.any([run.stop, trouble.signal]);
  const sitting = { ...run, stop, interrupt: AbortSignal.any([run.interrupt, trouble.signal]) };
  let failure: { readonly error: unknown } | undefined;

  const wakeAll = () => {
    for (const wake of idle.splice(0)) wake();
  };
  // Every attempt under way may listen to these: however many that are, it is no leak.
  setMaxListeners(0, sitting.stop, sitting.interrupt);
  stop.addEventListener('abort', wakeAll);

  const serve = async (): Promise<void> => {
    for (;;) {
      const assignment = stop.aborted ? undefined : starts.next();
      if (assignment === undefined) {
        const opens = stop.aborted ? undefined : starts.opensAt();
        // Nothing now; a cell that is still running may bring more, or the time that one waits for.
        if (stop.aborted || (busy === 0 && opens === undefined)) return wakeAll();
        if (busy === 0 && opens !== undefined && opens !== told) {
          told = opens;
          run.observe({ type: 'waiting', until: formatTime(opens) });
        }
        await idleUntil(run, idle, opens);
        continue;
      }
      busy += 1;
      const begun = (call?: PreparedCall) => {
        starts.begun(assignment, call);
        projections.unitBegun(assignment.unit.id);
        // With a budget the next one waits for this.
        if (idle.length > 0) wakeAll();
      };
      try {
        const outcome = await attemptCell(sitting, assignment, begun);
        await afterAttempt(sitting, schedule, projections, starts, assignment, outcome, counts, restoring);
      } catch (error) {
        failure ??= { error };
        trouble.abort();
      } finally {
        busy -= 1;
        wakeAll();
      }
    }
  };
  await Promise.all(workers.map(serve));
  stop.removeEventListener('abort', wakeAll);
  if (failure !== undefined) throw failure.error;
  return outcomeOf(run, schedule, counts, starts.halts);
}

/** A timer takes no more; whoever wakes early looks again. */
const sleepMsMax = 60 * 60_000;

/** Until somebody wakes all, or the time has come. */
async function idleUntil(
  { clock }: RunContext,
  idle: (() => void)[],
  opens: number | undefined,
): Promise<void> {
  const over = new AbortController();
  const woken = new Promise<void>((resolve) => {
    idle.push(() => {
      over.abort('over');
      resolve();
    });
  });
  if (opens === undefined) return await woken;
  const ms = Math.min(Math.max(0, opens - clock.now()), sleepMsMax);
  await Promise.race([woken, clock.sleep(ms, over.signal)]);
}

type Counts = { succeeded: number; failed: number; cells: Set<CellName>; tries: Tries };

async function afterAttempt(
  run: RunContext,
  schedule: Schedule,
  projections: Projections,
  starts: Starts,
  assignment: Assignment,
  outcome: AttemptOutcome,
  counts: Counts,
  restoring: Set<string>,
): Promise<void> {
  const { unit, phase } = assignment;
  if (outcome.kind === 'succeeded') {
    counts.succeeded += 1;
    counts.cells.add(cellName(unit.id, phase.name));
  }
  let again = outcome.kind !== 'interrupted' && outcome.kind !== 'failed';
  if (outcome.kind === 'failed') {
    counts.failed += 1;
    const retryInMs = retryAfter(run, assignment, outcome, counts.tries);
    again = retryInMs !== undefined;
    // Before the wait: whoever else asks the same model has room meanwhile.
    starts.ended(assignment, outcome, again);
    await tellAndWait(run, assignment, outcome, retryInMs);
  } else starts.ended(assignment, outcome, again);
  const done = new Set<string>();
  if (schedule.ended(unit.id, phase.name, { again })) done.add(unit.id);
  // Another unit may have come back to files that lie under those of a later round, or are gone.
  for (let units = schedule.takeRestores(); units.length > 0; units = schedule.takeRestores())
    for (const one of units) if (await restoreUnit(run, schedule, one, restoring)) done.add(one);
  const plan = schedule.plans.get(unit.id);
  starts.planned(plan);
  const questions = plan === undefined ? [] : unasked(plan);
  if (questions.length > 0) {
    await askPeople(run, questions);
    schedule.replan(unit.id);
  }
  projections.unitChanged(unit.id, done.has(unit.id) || questions.length > 0);
  done.delete(unit.id);
  for (const other of done) projections.unitChanged(other, true);
  if (phase.state === 'write' && outcome.kind === 'succeeded')
    await projections.stateChanged(newestState(schedule.context, schedule.plans));
  for (const finished of [...(schedule.plans.get(unit.id)?.finished ? [unit.id] : []), ...done])
    run.observe({ type: 'unit-finished', unit: finished });
}

/**
 * A loop may have come back to a round whose files lie under those of another one. Two phases of a unit may end at
 * once: the second leaves it to the first, for both would stage the same files.
 */
async function restoreUnit(
  run: RunContext,
  schedule: Schedule,
  unit: string,
  restoring: Set<string>,
): Promise<boolean> {
  if (restoring.has(unit)) return false;
  restoring.add(unit);
  try {
    let finished = false;
    for (;;) {
      const plan = schedule.plans.get(unit);
      if (plan === undefined || !(await restoreOutputs(run, [plan]))) return finished;
      finished = schedule.replan(unit) || finished;
    }
  } finally {
    restoring.delete(unit);
  }
}

async function tellAndWait(
  run: RunContext,
  { unit, phase }: Assignment,
  { failure, ms }: AttemptOutcome & { kind: 'failed' },
  retryInMs: number | undefined,
): Promise<void> {
  const attempt = findCell(run.ledger, unit.id, phase.name)?.attempts ?? 0;
  run.observe({
    type: 'attempt-failed',
    unit: unit.id,
    phase: phase.name,
    attempt,
    ms,
    failure,
    retryInMs,
  });
  if (retryInMs !== undefined && retryInMs > 0) await run.clock.sleep(retryInMs, run.stop);
}

function outcomeOf(
  run: RunContext,
  schedule: Schedule,
  counts: Counts,
  halts: readonly Halt[],
): SittingOutcome {
  const stops: Stop[] = [];
  const refusals: Refusal[] = [];
  const notices: Notice[] = [];
  let finished = !run.loaded.pipeline.stages.some(({ isOpen }) => isOpen);
  let asks = false;
  const others = { ready: 0, claimed: 0 };
  const isForOthers = phasesOfOthers(run.loaded.pipeline.stages);
  for (const plan of schedule.plans.values()) {
    finished &&= plan.ended;
    refusals.push(...plan.refusals);
    notices.push(...plan.notices);
    if (plan.finished) continue;
    for (const { unit, phase, decision } of plan.cells) {
      if (decision.do === 'stop') {
        stops.push({ unit, phase, why: decision.why });
        asks ||= asksOf(decision.why) !== undefined;
      }
      if (decision.do === 'claimed') others.claimed += 1;
      if (decision.do === 'run' && isForOthers.has(phase)) {
        others.ready += 1;
        continue;
      }
      const failure = findCell(run.ledger, unit, phase)?.failure;
      if (decision.do === 'run' && failure !== undefined) {
        stops.push({
          unit,
          phase,
          why: {
            code: 'failed',
            failure: failure.reason,
            message: failure.message,
            ...(failure.facts && { facts: failure.facts }),
          },
        });
      }
    }
  }
  const limits = finished ? [] : reachedLimits(run.loaded.pipeline, run.ledger, run.facts.now);
  asks ||= limits.some((limit) => asksOf(limit) !== undefined);
  const isFree = refusals.length === 0 && limits.length === 0;
  const status = finished ? 'completed' : statusOfOpen(stops, asks, isFree ? others : nothing);
  return {
    status,
    interrupted: run.stop.aborted,
    stops,
    refusals,
    notices,
    limits,
    attempts: counts,
    others,
    halts,
  };
}

const nothing: WorkOfOthers = { ready: 0, claimed: 0 };

function statusOfOpen(
  stops: readonly Stop[],
  asks: boolean,
  { ready, claimed }: WorkOfOthers,
): SittingOutcome['status'] {
  const isWaiting = stops.some(({ why }) => why.code === 'paused');
  const isOpen = ready + claimed > 0 || isWaiting;
  // What is blocked holds up nobody who can go on with something else.
  const isHarmless = ({ why }: Stop) =>
    asksOf(why) !== undefined || why.code === 'paused' || (why.code === 'blocked' && isOpen);
  if (!stops.every(isHarmless)) return 'stopped';
  if (asks) return 'waiting_human';
  return isOpen ? 'paused' : 'stopped';
}

function phasesOfOthers(stages: readonly Stage[]): ReadonlySet<string> {
  const phases = stages.flatMap((stage) => stage.phases);
  return new Set(phases.filter(({ executor }) => executor.kind === 'agent').map(({ name }) => name));
}
