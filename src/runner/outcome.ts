import type { JsonObject } from '../base/json.ts';
import { findStep } from '../ledger/ledger.ts';
import type { Stage } from '../model/definition.ts';
import { isForOthers } from '../model/executor.ts';
import type { StepSet } from '../model/names.ts';
import { asksOf, type ReachedLimit, type Refusal, type StopReason } from '../model/reason.ts';
import { reachedLimits } from '../planner/budget.ts';
import { isSettled, type StepPlan } from '../planner/plan.ts';
import type { InvocationSpending, RunContext } from './context.ts';
import type { Halt, Schedule, Starts } from './schedule.ts';

/** How an invocation ended. */
export interface SittingOutcome {
  readonly status: 'completed' | 'stopped' | 'waiting_human' | 'paused';
  readonly interrupted: boolean;
  readonly stops: readonly Stop[];
  /** Guards that only showed themselves on the way. */
  readonly refusals: readonly Refusal[];
  readonly limits: readonly ReachedLimit[];
  readonly attempts: Attempts;
  readonly others: WorkOfOthers;
  /** Models that nothing more was asked of. */
  readonly halts: readonly Halt[];
  /** Where the invocation was given a limit. */
  readonly spending?: InvocationSpending;
}

/** Steps that agents or people claim. */
export interface WorkOfOthers {
  /** Ready to be claimed. */
  readonly ready: number;
  readonly claimed: number;
}

/** The attempts of an invocation. */
export interface Attempts {
  readonly succeeded: number;
  /** Of those: taken from other runs. */
  readonly reused: number;
  readonly failed: number;
  /** Steps that succeeded, however often. */
  readonly steps: StepSet;
  /** Steps that failed and that this invocation does not try again. */
  readonly left: StepSet;
}

/** A step that keeps the run from being complete. */
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

/** What the plan says at the end, put together: why the run is not complete, and who could go on. */
export function outcomeOf(
  run: RunContext,
  schedule: Schedule,
  attempts: Attempts,
  { halts, spending }: Pick<Starts, 'halts' | 'spending'>,
): SittingOutcome {
  const { pipeline } = run.loaded;
  const plans = [...schedule.plans.values()];
  const { scope } = schedule;
  const isIn = ({ unit, phase }: { readonly unit: string; readonly phase: string }) =>
    scope?.isIn(unit, phase) ?? true;
  const refusals = plans
    .flatMap((plan) => plan.refusals)
    .filter((one) => !('phase' in one) || isIn({ unit: one.unit, phase: one.phase }));
  const isFinished = plans.every(({ ended }) => ended) && !pipeline.stages.some(({ isOpen }) => isOpen);
  const open = plans.flatMap((plan) => (plan.finished ? [] : plan.cells)).filter(isIn);
  const isDone = isFinished || (scope !== undefined && open.every(({ decision }) => isSettled(decision)));
  const limits = isDone ? [] : reachedLimits(pipeline, run.ledger, run.facts.now);
  const ofOthers = phasesOfOthers(pipeline.stages);
  const isHeld = limits.some((limit) => asksOf(limit) !== undefined);
  const stops = open.flatMap((step) => {
    const stop = stopAt(run, step, ofOthers);
    // What may be tried again is held up by the limit, and not by its failure.
    const isOnlyHeld = isHeld && stop?.why.code === 'failed' && !attempts.left.has(step.unit, step.phase);
    return stop === undefined || isOnlyHeld ? [] : [stop];
  });
  const others = {
    ready: open.filter(({ phase, decision }) => decision.do === 'run' && ofOthers.has(phase)).length,
    claimed: open.filter(({ decision }) => decision.do === 'claimed').length,
  };
  return {
    status: isFinished ? 'completed' : statusOfOpen(stops, limits, refusals.length === 0 ? others : nothing),
    interrupted: run.stop.aborted,
    stops,
    refusals,
    limits,
    attempts,
    others,
    halts,
    ...(spending !== undefined && { spending }),
  };
}

/** Why a step keeps the run from being complete; undefined: it does not, or it waits to be claimed. */
function stopAt(
  run: RunContext,
  { unit, phase, decision }: StepPlan,
  ofOthers: ReadonlySet<string>,
): Stop | undefined {
  if (decision.do === 'stop') return { unit, phase, why: decision.why };
  if (decision.do !== 'run' || ofOthers.has(phase)) return undefined;
  const failure = findStep(run.ledger, unit, phase)?.failure;
  if (failure === undefined) return undefined;
  const { reason, message, facts } = failure;
  return { unit, phase, why: { code: 'failed', failure: reason, message, ...(facts && { facts }) } };
}

const nothing: WorkOfOthers = { ready: 0, claimed: 0 };

function statusOfOpen(
  stops: readonly Stop[],
  limits: readonly ReachedLimit[],
  { ready, claimed }: WorkOfOthers,
): SittingOutcome['status'] {
  const isWaiting = stops.some(({ why }) => why.code === 'paused');
  const isOpen = (ready + claimed > 0 && limits.length === 0) || isWaiting;
  // A blocked step stops nothing while other work is open.
  const isHarmless = ({ why }: Stop) =>
    asksOf(why) !== undefined || why.code === 'paused' || (why.code === 'blocked' && isOpen);
  if (!stops.every(isHarmless)) return 'stopped';
  if ([...stops.map(({ why }) => why), ...limits].some((why) => asksOf(why) !== undefined))
    return 'waiting_human';
  return isOpen ? 'paused' : 'stopped';
}

function phasesOfOthers(stages: readonly Stage[]): ReadonlySet<string> {
  const phases = stages.flatMap((stage) => stage.phases);
  return new Set(phases.filter(isForOthers).map(({ name }) => name));
}
