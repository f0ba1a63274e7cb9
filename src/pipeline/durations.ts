/** `500ms`, `2s`, `10m`, `1h`; fractions are fine. */
export const durationPattern = /^\d{1,9}(\.\d{1,3})?(ms|s|m|h)$/;

/** What a timer can wait for: `setTimeout` takes 31 bits and fires at once for more. */
export const durationMsMax = 2 ** 31 - 1;

const msOf = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** Milliseconds of a duration as the manifest writes it; undefined for what is none. */
export function parseDuration(value: string | number): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : undefined;
  const unit = durationPattern.exec(value)?.[2];
  const ms = unit === undefined ? undefined : msOf.get(unit);
  return ms === undefined ? undefined : Math.round(Number.parseFloat(value) * ms);
}
