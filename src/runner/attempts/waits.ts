import { formatTime } from '../../base/clock.ts';
import { findStep } from '../../ledger/ledger.ts';
import { isFinal, isRepairable, isTransient } from '../../model/attempt-failure.ts';
import type { AttemptPaused, PauseReason } from '../../model/event.ts';
import { asksModel } from '../../model/executor.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import { type StepName, stepName } from '../../model/names.ts';
import type { RunContext } from '../context.ts';
import type { WaitRequest } from '../executors/assignment.ts';
import type { ReadyStep } from './attempt.ts';

const backoffMsMax = 5 * 60_000;

/** How often steps were tried in this invocation. */
export type Tries = Map<StepName, number>;

/**
 * After how long a failed step is tried again in this invocation; undefined: it is left for the next one. Declared retries
 * apply to every failure. Without them only transient failures are tried again, a few times.
 */
export function retryAfter(
  run: RunContext,
  { unit, phase }: ReadyStep,
  failure: Pick<AttemptFailure, 'reason'>,
  tries: Tries,
): number | undefined {
  const { attempts, sitting = 1, backoffMs } = phase.retries;
  const name = stepName(unit.id, phase.name);
  const tried = (tries.get(name) ?? 0) + 1;
  tries.set(name, tried);
  if (isFinal(failure.reason)) return undefined;
  const failures = findStep(run.ledger, unit.id, phase.name)?.failures ?? 1;
  const isRepaired = phase.prompt?.repair !== undefined && isRepairable(failure.reason);
  const again =
    attempts !== undefined
      ? failures < attempts
      : tried < sitting && (isTransient(failure.reason) || isRepaired);
  if (!again) return undefined;
  const times = attempts !== undefined ? failures : tried;
  const ms = Math.min(backoffMs * 2 ** (times - 1), backoffMsMax);
  return asksModel(phase) ? withJitter(ms) : ms;
}

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

/** As long as the provider says, and longer each time in a row. */
function providerMs(reason: PauseReason, waitMs: number | undefined, times: number): number {
  if (waitMs !== undefined) return times === 0 ? waitMs : Math.max(waitMs, backoff(times - 1));
  return reason === 'quota' ? quotaWaitMs : backoff(times);
}

/** How long a quota without a renewal time is waited for. */
const quotaWaitMs = 60 * minuteMs;
const backoffMsFirst = 1000;
const providerBackoffMsMax = minuteMs;

function backoff(times: number): number {
  return withJitter(Math.min(backoffMsFirst * 2 ** times, providerBackoffMsMax));
}

/** Half of a wait, and some of the other half by chance: many calls that failed together must not come back together. */
function withJitter(ms: number): number {
  return Math.round(ms * (0.5 + Math.random() / 2));
}
