import type { Ledger, Tally } from '../ledger/ledger.ts';
import type { Limits, Pipeline } from '../model/definition.ts';
import type { ReachedLimit } from '../model/reason.ts';
import { reachedBudgets, type UnderWay } from './budget.ts';

/** What is under way, and not on record yet. */
export interface ComingUp {
  /** Attempts at a phase that are about to be recorded. */
  attempts(phase: string): number;
  /** What calls at a phase may come to; the empty name is for all of them. */
  spending(phase: string): UnderWay;
}

/** The limits that the manifest sets and the run has come to: while there is one, nothing more is started. */
export function reachedLimits(
  pipeline: Pipeline,
  ledger: Ledger,
  now: string,
  comingUp?: ComingUp,
): ReachedLimit[] {
  const { stages } = pipeline;
  const reached = reachedBudgets(pipeline, ledger, now, comingUp?.spending);
  for (const { phases } of stages) {
    for (const { name, limits } of phases) {
      if (limits === undefined) continue;
      const tally = ledger.tallies.find(({ phase }) => phase === name) ?? noTally(name);
      const attempts = tally.attempts + (comingUp?.attempts(name) ?? 0);
      if (attempts > 0) reached.push(...reachedBy(limits, { ...tally, attempts }));
    }
  }
  return reached;
}

function noTally(phase: string): Tally {
  return { phase, attempts: 0, retries: 0, bad: 0, badInARow: 0 };
}

function reachedBy(limits: Limits, tally: Tally): ReachedLimit[] {
  const { phase, attempts, retries, bad, badInARow } = tally;
  const isTelling = attempts >= limits.after;
  const asked: readonly (readonly [ReachedLimit['limit'], number, number | undefined])[] = [
    ['attempts', attempts, limits.attempts],
    ['consecutive_failures', badInARow, limits.consecutiveFailures],
    ['retry_rate', retries / attempts, isTelling ? limits.retryRate : undefined],
    ['reject_rate', bad / attempts, isTelling ? limits.rejectRate : undefined],
  ];
  return asked.flatMap(([limit, value, max]) =>
    max === undefined || !isReached(limit, value, max) ? [] : [{ phase, limit, value, max, attempts }],
  );
}

/** So many are allowed and no more; a rate may be reached, not passed. */
function isReached(limit: ReachedLimit['limit'], value: number, max: number): boolean {
  return limit === 'attempts' || limit === 'consecutive_failures' ? value >= max : value > max;
}
