import type { Hash } from '../base/hash.ts';

/* What the journal says of calls of models. */

/** What an attempt has spent. */
export interface Cost {
  readonly usd?: number;
  /** All input, also what the provider had kept. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Of the input: what the provider had kept, and what it was asked to keep. */
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
}

export const costNames = [
  'usd',
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
] as const satisfies readonly (keyof Cost)[];

/** A call that is about to be made; durable before it is. */
export interface CallIntent {
  /** `PROVIDER/MODEL`. */
  readonly model: string;
  /** The same for the same call, whoever makes it. */
  readonly key: Hash;
  /** What it may cost at most, in USD, as far as that can be told. */
  readonly atStake?: number;
}

/** A call that was made, or did not have to be. */
export interface CallRecord {
  /** `PROVIDER/MODEL`, as asked. */
  readonly model: string;
  /** The model's name as it was answered. */
  readonly answered?: string;
  /** The provider's own name for the call. */
  readonly request?: string;
  /** Why the answer ended. */
  readonly finish?: string;
  /** How long the call took, and until its first piece. */
  readonly ms: number;
  readonly firstMs?: number;
  /** Parameters that the provider does not know or take as they are, in its own words. */
  readonly warnings?: readonly string[];
  /** `RUN UNIT/PHASE#ATTEMPT`: its answer was taken, and nothing was paid. */
  readonly reused?: string;
  /** What that had cost. */
  readonly saved?: Cost;
  /** The attempt of the same cell whose answer had arrived when it was cut off. */
  readonly adopted?: number;
}

/** The attempt has to wait, for its provider or because it asked to: it may continue later, and nothing has failed. */
export interface AttemptPaused {
  readonly type: 'attempt_paused';
  readonly unit: string;
  readonly phase: string;
  readonly attempt: number;
  readonly round?: number;
  readonly reason: PauseReason;
  /** The words of the provider, or of the command or function. */
  readonly message: string;
  readonly until: string;
  readonly ms: number;
  readonly call?: CallRecord;
  /** What a command or function reported that it had spent. */
  readonly cost?: Cost;
}

/**
 * `rate-limited`: too many at a time. `quota`: so much was granted and no more, until later. `overloaded`: the provider is.
 * `requested`: the command or function asked to wait.
 */
export type PauseReason = 'rate-limited' | 'quota' | 'overloaded' | 'requested';
