import { formatTime } from '../../base/clock.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { findCell } from '../../ledger/ledger.ts';
import type { Account, Attempt } from '../attempt.ts';
import type { RunContext } from '../context.ts';

/* A command or function asked to wait: until when its step is paused. */

const minuteMs = 60_000;
/** Without a time of its own, and longer each time that it is asked for again. */
const waitMsFirst = minuteMs;
const waitMsMax = 60 * minuteMs;
/** Between two pauses in a row that name a time which has passed. */
const againMsFirst = 1000;
const againMsMax = minuteMs;
const aheadMsMax = 366 * 24 * 60 * minuteMs;

/** The pause that is recorded. `message` is what the step says about it. */
export function requestedPause(
  run: Pick<RunContext, 'ledger' | 'clock'>,
  { unit, phase }: Pick<Attempt, 'unit' | 'phase'>,
  retryAt: number | undefined,
  message: string,
): NonNullable<Account['pause']> {
  const now = run.clock.now();
  const times = findCell(run.ledger, unit.id, phase.name)?.paused?.times ?? 0;
  const soonest = times === 0 ? now : now + Math.min(againMsFirst * 2 ** (times - 1), againMsMax);
  const until =
    retryAt === undefined ? now + Math.min(waitMsFirst * 2 ** times, waitMsMax) : Math.max(retryAt, soonest);
  return { reason: 'requested', message: message.slice(0, messageLengthMax), until: formatTime(until) };
}

const messageLengthMax = 2_000;

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
