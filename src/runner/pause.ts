import { formatTime } from '../base/clock.ts';
import { findStep } from '../ledger/ledger.ts';
import type { AttemptPaused, PauseReason } from '../model/event.ts';
import type { WaitRequest } from './assignment.ts';
import type { ReadyStep } from './attempt.ts';
import type { RunContext } from './context.ts';
import { withJitter } from './jitter.ts';

/* An attempt asks to wait, for its provider or by itself: until when its step is paused. */

export type Pause = Pick<AttemptPaused, 'reason' | 'message' | 'until'>;

/** The pause that is recorded. How long it is depends on how often in a row the step was paused. */
export function pauseFor(
  { ledger, clock }: Pick<RunContext, 'ledger' | 'clock'>,
  { unit, phase }: Pick<ReadyStep, 'unit' | 'phase'>,
  { reason, message, retryAt, waitMs, until }: WaitRequest,
): Pause {
  if (until !== undefined) return { reason, message, until };
  const times = findStep(ledger, unit.id, phase.name)?.paused?.times ?? 0;
  const now = clock.now();
  const time =
    reason === 'requested' ? requestedTime(now, retryAt, times) : now + providerMs(reason, waitMs, times);
  return { reason, message: message.slice(0, messageLengthMax), until: formatTime(time) };
}

const messageLengthMax = 2_000;
const minuteMs = 60_000;

/** When a command or function that asked for a time, or for none, is started again. */
function requestedTime(now: number, retryAt: number | undefined, times: number): number {
  if (retryAt === undefined) return now + Math.min(waitMsFirst * 2 ** times, waitMsMax);
  // A time that has passed would be asked for again and again without a pause in between.
  const soonest = times === 0 ? now : now + Math.min(againMsFirst * 2 ** (times - 1), againMsMax);
  return Math.max(retryAt, soonest);
}

/** Without a time of its own, and longer each time that it is asked for again. */
const waitMsFirst = minuteMs;
const waitMsMax = 60 * minuteMs;
/** Between two pauses in a row that name a time which has passed. */
const againMsFirst = 1000;
const againMsMax = minuteMs;

/** As long as the provider says; and longer each time, when it says so again and again. */
function providerMs(reason: PauseReason, waitMs: number | undefined, times: number): number {
  if (waitMs !== undefined) return times === 0 ? waitMs : Math.max(waitMs, backoff(times - 1));
  return reason === 'quota' ? quotaWaitMs : backoff(times);
}

/** A quota without a word of when it is renewed is asked about again after so long. */
const quotaWaitMs = 60 * minuteMs;
const backoffMsFirst = 1000;
const backoffMsMax = minuteMs;

function backoff(times: number): number {
  return withJitter(Math.min(backoffMsFirst * 2 ** times, backoffMsMax));
}
