import type { Hash } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ModelFile, ModelTurn } from './client.ts';

/** A call with everything that will be sent, before it costs anything. */
export interface PreparedCall {
  readonly system: string | undefined;
  readonly turns: readonly ModelTurn[];
  readonly schema: JsonObject | undefined;
  readonly files: readonly (ModelFile & { readonly path: string; readonly hash: Hash })[];
  /** The same for the same call, in whatever unit or run. */
  readonly key: Hash;
  /** The same without what is said to an answer that could not be used: what its result answers in the end. */
  readonly resultKey: Hash;
  /** The prompt without what is said of an earlier answer. */
  readonly prompt: Hash;
  readonly inputTokens: number;
  /** In USD, at most; undefined: the model has no price. */
  readonly atStake: number | undefined;
}
