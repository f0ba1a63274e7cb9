import type { ReachedLimit } from '../model/reason.ts';
import { plain } from './plain.ts';
import type { Style } from './style.ts';
import { count } from './words.ts';

/** A line for each limit over all units that keeps a run from going on, and the ways past it. */
export function limitLines(limits: readonly ReachedLimit[], { paint, symbols }: Style): string[] {
  if (limits.length === 0) return [];
  return [
    ...limits.map((limit) => `${paint.red(symbols.bad)} ${limitWords(limit)}`),
    '    raise the limit in the manifest, or go on with --past-limits and a --reason',
  ];
}

function limitWords({ phase, limit, value, max, attempts }: ReachedLimit): string {
  const of = `${plain(phase)}:`;
  switch (limit) {
    case 'attempts':
      return `${of} ${count(value, 'attempt')} in all, and the limit is ${max}`;
    case 'consecutive_failures':
      return `${of} ${count(value, 'bad attempt')} in a row, and the limit is ${max}`;
    case 'retry_rate':
      return `${of} ${percent(value)} of ${count(attempts, 'attempt')} are retries, and the limit is ${percent(max)}`;
    case 'reject_rate':
      return `${of} ${percent(value)} of ${count(attempts, 'attempt')} are bad, and the limit is ${percent(max)}`;
  }
}

/** With a decimal where there is one: a rate just above its limit must not look the same. */
function percent(rate: number): string {
  return `${Number((rate * 100).toFixed(1))} %`;
}
