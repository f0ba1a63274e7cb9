import { asksOf, type ReachedLimit, type Refusal } from '../../model/reason.ts';
import type { RunContext } from '../../runner/context.ts';
import type { SittingOutcome } from '../../runner/outcome.ts';
import { askPeople, questionKey } from '../../runner/questions.ts';

/** Asks what a sitting has come to, and says in its outcome under which numbers. */
export async function askQuestions(run: RunContext, outcome: SittingOutcome): Promise<SittingOutcome> {
  const reasons = [...outcome.stops.map(({ why }) => why), ...outcome.limits];
  const asked = reasons.flatMap((reason) => asksOf(reason) ?? []);
  if (asked.length === 0) return outcome;
  const ids = await askPeople(run, asked);
  const stops = outcome.stops.map((stop) => {
    const asks = asksOf(stop.why);
    if (asks === undefined) return stop;
    return { ...stop, why: { ...stop.why, asks: { ...asks, id: asks.id ?? ids.get(questionKey(asks)) } } };
  });
  return {
    ...outcome,
    stops: stops as SittingOutcome['stops'],
    limits: withQuestionIds(outcome.limits, ids),
  };
}

/** The same refusals or limits, with the numbers under which they were asked. */
export function withQuestionIds<T extends Refusal | ReachedLimit>(
  reasons: readonly T[],
  ids: ReadonlyMap<string, string>,
): T[] {
  return reasons.map((reason) => {
    const asks = asksOf(reason);
    if (asks === undefined) return reason;
    return { ...reason, asks: { ...asks, id: asks.id ?? ids.get(questionKey(asks)) } };
  });
}
