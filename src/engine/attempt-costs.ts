import type { Cost } from '../model/event.ts';
import type { InspectedAttempt } from './inspected.ts';

/** What attempts have cost together; undefined where none of them says. */
export function sumCosts(attempts: readonly Pick<InspectedAttempt, 'cost'>[]): Cost | undefined {
  const costs = attempts.flatMap(({ cost }) => cost ?? []);
  if (costs.length === 0) return undefined;
  const sumOf = (name: keyof Cost) => {
    const numbers = costs.flatMap((cost) => cost[name] ?? []);
    return numbers.length === 0 ? {} : { [name]: numbers.reduce((sum, number) => sum + number, 0) };
  };
  return { ...sumOf('usd'), ...sumOf('inputTokens'), ...sumOf('outputTokens') };
}
