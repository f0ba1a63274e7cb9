import { fail, ok, type Result } from '../../base/result.ts';

/* A command or function asks to wait: until when. */

const aheadMsMax = 366 * 24 * 60 * 60_000;

/** A time with its zone, at most a year ahead; a failure is what is wrong with it. */
export function readRetryTime(value: unknown, now: number): Result<number | undefined, string> {
  if (value === undefined || value === null) return ok(undefined);
  if (typeof value !== 'string' || !withZone.test(value))
    return fail('it must be a time such as 2026-11-19T14:30:00Z');
  const ms = Date.parse(value);
  if (Number.isNaN(ms)) return fail('it must be a time such as 2026-11-19T14:30:00Z');
  return ms - now > aheadMsMax ? fail('it is more than a year ahead') : ok(ms);
}

const withZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i;
