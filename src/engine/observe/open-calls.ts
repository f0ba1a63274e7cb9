import { firstPause, type StopReason } from '../../model/reason.ts';
import type { Plan } from '../../planner/plan.ts';

/** A cell that a provider asked to wait. */
export interface PausedStop {
  readonly unit: string;
  readonly phase: string;
  readonly why: Extract<StopReason, { code: 'paused' }>;
}

export interface CallInDoubt {
  readonly unit: string;
  readonly phase: string;
  readonly attempt: number;
  readonly model: string;
  /** In USD, at most; undefined: nobody knows. */
  readonly atStake: number | undefined;
}

/** When the first of what a provider asked to wait for may go on. */
export function retryTime({ units }: Pick<Plan, 'units'>): { retryAt: string } | Record<string, never> {
  const steps = [...units.values()].flatMap((unit) => unit.cells);
  const retryAt = firstPause(steps.flatMap(({ decision }) => (decision.do === 'stop' ? [decision.why] : [])));
  return retryAt === undefined ? {} : { retryAt };
}

/** Every cell that a provider asked to wait. */
export function pausedStops({ units }: Pick<Plan, 'units'>): PausedStop[] {
  return [...units.values()].flatMap(({ cells: steps }) =>
    steps.flatMap(({ unit, phase, decision }) =>
      decision.do === 'stop' && decision.why.code === 'paused' ? [{ unit, phase, why: decision.why }] : [],
    ),
  );
}

/** Calls of models that were sent, and of whose answer nobody knows. */
export function callsInDoubt({ units }: Pick<Plan, 'units'>): CallInDoubt[] {
  const calls: CallInDoubt[] = [];
  for (const { cells: steps } of units.values()) {
    for (const { unit, phase, decision } of steps) {
      const doubts =
        decision.do === 'run' && decision.why.code === 'interrupted'
          ? [decision.why]
          : decision.do === 'refuse'
            ? decision.refusals.filter((refusal) => refusal.guard === 'in-doubt')
            : [];
      for (const { attempt, call } of doubts)
        if (call !== undefined) calls.push({ unit, phase, attempt, ...call });
    }
  }
  return calls;
}
