import type { Hash } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ModelTurn } from './client.ts';

/** A call with everything that will be sent, before it costs anything. */
export interface PreparedCall {
  readonly system: string | undefined;
  readonly turns: readonly ModelTurn[];
  readonly schema: JsonObject | undefined;
  /** Sent beside the prompt. Their bytes are those of the attempt's inputs. */
  readonly files: readonly AttachedFile[];
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

/** An input that is sent as a file. */
export interface AttachedFile {
  /** The input's name, and with `of: every` also whose it is: `NAME/UNIT`. */
  readonly name: string;
  readonly mediaType: string;
  readonly hash: Hash;
}
