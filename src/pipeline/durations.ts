import type { LoadContext } from './context.ts';

/** `500ms`, `2s`, `10m`, `1h`, `14d`; fractions are fine. */
export const durationPattern = /^\d{1,9}(\.\d{1,3})?(ms|s|m|h|d)$/;

/** What a timer can wait for: `setTimeout` takes 31 bits and fires at once for more. */
const durationMsMax = 2 ** 31 - 1;

const msOf = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** Milliseconds of a duration as the manifest writes it; undefined for what is none. */
export function parseDuration(value: string | number): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : undefined;
  const unit = durationPattern.exec(value)?.[2];
  const ms = unit === undefined ? undefined : msOf.get(unit);
  return ms === undefined ? undefined : Math.round(Number.parseFloat(value) * ms);
}

/** Milliseconds of a duration; the shape has settled that a text is one. */
export function resolveDuration(
  context: LoadContext,
  written: string | number | undefined,
  defaultMs: number,
  minimum: number,
  at: string,
  maximum = durationMsMax,
): number {
  if (written === undefined) return defaultMs;
  const ms = parseDuration(written);
  if (ms === undefined)
    context.problems.add('wrong-type', at, { expected: 'duration', found: String(written) });
  else if (ms < minimum || ms > maximum) {
    context.problems.add('out-of-range', at, { found: ms, minimum, maximum });
  }
  return ms ?? defaultMs;
}
