// For whoever watches or tests: a trace of each call, and a moment that it takes.
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Leaves a trace for whoever counts the calls.
 * @param {string} unit @param {string} phase @param {number | undefined} attempt @param {number} iteration
 */
export function trace(unit, phase, attempt, iteration) {
  const calls = process.env.BOOK_CALLS;
  if (calls) appendFileSync(calls, `${unit} ${phase} ${attempt ?? '-'} ${iteration}\n`);
}

/** Takes a share of the moment that a phase takes, so that there is something to see. @param {AbortSignal} signal */
export async function pause(signal, share = 1) {
  const pauseMs = Number(process.env.BOOK_PAUSE_MS ?? 40) * share;
  if (pauseMs > 0) await sleep(pauseMs, undefined, { signal });
}
