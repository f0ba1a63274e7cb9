import type { Progress } from '../../runner/progress.ts';
import type { Attributes } from './encode.ts';
import type { Instrument } from './measures.ts';

export interface AttemptName {
  readonly unit: string;
  readonly phase: string;
  readonly attempt: number;
}

/** How an attempt ended. */
export interface AttemptEnd {
  readonly of: AttemptName;
  readonly outcome: 'succeeded' | 'failed' | 'interrupted' | 'paused';
  /** Undefined: nobody has measured it. */
  readonly ms: number | undefined;
  readonly attributes?: Attributes;
  /** A stable reason, never the words that came with it. */
  readonly failure?: string;
}

/** Undefined for what ends no attempt. */
export function attemptEndOf(seen: Progress): AttemptEnd | undefined {
  switch (seen.type) {
    case 'attempt-succeeded': {
      const attributes = { 'pawl.verdict': toldVerdict(seen.verdict) };
      return { of: seen, outcome: 'succeeded', ms: seen.ms, attributes };
    }
    case 'attempt-failed': {
      const { reason } = seen.failure;
      const attributes = { 'pawl.failure': reason, 'error.type': reason };
      return { of: seen, outcome: 'failed', ms: seen.ms, attributes, failure: reason };
    }
    case 'attempt-paused': {
      const attributes = { 'pawl.paused_for': seen.reason, 'pawl.paused_until': seen.until };
      return { of: seen, outcome: 'paused', ms: seen.ms, attributes };
    }
    case 'attempt-interrupted':
      return { of: seen, outcome: 'interrupted', ms: undefined };
    default:
      return undefined;
  }
}

export const phaseAttempts: Instrument = {
  kind: 'sum',
  counts: 'int',
  name: 'pawl.phase.attempts',
  unit: '{attempt}',
  description: 'Attempts that have ended.',
};

const verdictLengthMax = 40;

/** A verdict is taken out of an answer, and of answers nothing is told: what is too long for a verdict is none. */
function toldVerdict(verdict: string | undefined): string | undefined {
  return verdict !== undefined && verdict.length <= verdictLengthMax ? verdict : undefined;
}
