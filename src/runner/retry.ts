import { findStep } from '../ledger/ledger.ts';
import { isFinal, isRepairable, isTransient } from '../model/attempt-failure.ts';
import { asksModel } from '../model/executor.ts';
import { type StepName, stepName } from '../model/names.ts';
import type { ReadyStep } from './attempt.ts';
import type { RunContext } from './context.ts';
import { withJitter } from './jitter.ts';
import type { AttemptOutcome } from './worker.ts';

const backoffMsMax = 5 * 60_000;

/** How often cells were tried in this invocation. */
export type Tries = Map<StepName, number>;

/**
 * After how long a failed cell is tried again in this invocation; undefined: it is left for another. A declared ladder is
 * climbed whatever failed. Without one only what may be over by itself is tried again, a few times.
 */
export function retryAfter(
  run: RunContext,
  { unit, phase }: ReadyStep,
  { failure }: AttemptOutcome & { kind: 'failed' },
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
