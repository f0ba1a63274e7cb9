import { asksOf, type Refusal } from '../../model/reason.ts';
import { askPeople, questionKey } from '../../runner/ask.ts';
import type { SittingOutcome } from '../../runner/carry-out.ts';
import type { RunContext } from '../../runner/context.ts';

/** Asks what a sitting has come to, and says in its outcome under which numbers. */
export async function askAtEnd(run: RunContext, outcome: SittingOutcome): Promise<SittingOutcome> {
  const asked = outcome.stops.flatMap(({ why }) => asksOf(why) ?? []);
  if (asked.length === 0) return outcome;
  const ids = await askPeople(run, asked);
  const stops = outcome.stops.map((stop) => {
    const asks = asksOf(stop.why);
    if (asks === undefined) return stop;
    return { ...stop, why: { ...stop.why, asks: { ...asks, id: asks.id ?? ids.get(questionKey(asks)) } } };
  });
  return { ...outcome, stops: stops as SittingOutcome['stops'] };
}

/** The same refusals, with the numbers under which they were asked. */
export function withIds(refusals: readonly Refusal[], ids: ReadonlyMap<string, string>): Refusal[] {
  return refusals.map((refusal) => {
    if (!('asks' in refusal) || refusal.asks === undefined) return refusal;
    return {
      ...refusal,
      asks: { ...refusal.asks, id: refusal.asks.id ?? ids.get(questionKey(refusal.asks)) },
    };
  });
}
