import type { Plan } from '../planner/plan.ts';
import type { CallInDoubt } from './answers.ts';

/** When the first of what a provider asked to wait for may go on. */
export function retryTime({ units }: Pick<Plan, 'units'>): { retryAt: string } | Record<string, never> {
  let first: string | undefined;
  for (const { cells } of units.values()) {
    for (const { decision } of cells) {
      if (decision.do !== 'stop' || decision.why.code !== 'paused') continue;
      // Times of one form: the earlier one comes first.
      if (first === undefined || decision.why.until < first) first = decision.why.until;
    }
  }
  return first === undefined ? {} : { retryAt: first };
}

/** Calls of models that were sent, and of whose answer nobody knows. */
export function callsInDoubt({ units }: Pick<Plan, 'units'>): CallInDoubt[] {
  const calls: CallInDoubt[] = [];
  for (const { cells } of units.values()) {
    for (const { unit, phase, decision } of cells) {
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
