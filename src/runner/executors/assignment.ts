import type { Hash } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Result } from '../../base/result.ts';
import type { Phase, Price, Provider, Unit } from '../../model/definition.ts';
import type { CallRecord, Cost, PauseReason } from '../../model/event.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import type { RunReason } from '../../model/reason.ts';
import type { RenderedPrompt } from '../../pipeline/loaded.ts';
import type { NamedVariables } from '../redaction.ts';
import type { Runnable } from '../staging.ts';
import type { ModelTurn } from './model-client.ts';

/*
 * What an executor gets, and what it returns. Both are plain data: after JSON.stringify and JSON.parse they say the same,
 * so that an attempt can be executed in another process. Bytes are never in them: they are in the content store, by hash.
 */

/** Everything that an executor needs for one attempt. Paths are relative to the workspace. */
export interface Assignment {
  readonly run: string;
  readonly unit: Unit;
  readonly phase: Phase;
  readonly attempt: number;
  /** The round of the gate's loop, from 1. */
  readonly round: number;
  readonly why: RunReason;
  /** The folder of all attempts of the run, for messages. The attempt's own, `UNIT/PHASE/NUMBER` in it, is the scratch folder. */
  readonly attempts: string;
  readonly inputs: readonly AssignedInput[];
  /** Inputs with `of: every`, by name, in the order of the units. */
  readonly every: Readonly<Record<string, readonly (AssignedInput & { readonly unit: string })[]>>;
  /** The state that the unit starts from. */
  readonly state?: AssignedInput | undefined;
  readonly mode: 'fresh' | 'continue';
  /** The folder of the attempt that was interrupted. */
  readonly previous?: string | undefined;
  /** Outputs of earlier attempts that lie at their declared paths, by name. */
  readonly existing: Readonly<Record<string, string>>;
  readonly feedback: readonly AssignedFeedback[];
  readonly prompt?: RenderedPrompt | undefined;
  /** What a model is asked. */
  readonly call?: AssignedCall | undefined;
  readonly work: WorkIdentity;
  /** Variables of the environment whose values must not be written down. Their names only, never the values. */
  readonly redaction: NamedVariables;
  /** What is written has to survive a power cut. */
  readonly isDurable: boolean;
}

/**
 * What makes two attempts the same work, besides what the assignment says already. The idempotency key is its hash, which
 * is not made yet, because most functions never ask for their key.
 */
export interface WorkIdentity {
  readonly definition: Hash | '';
  /** Consumed artifacts, by name. */
  readonly inputs: Readonly<Record<string, Hash>>;
  readonly unitData: Hash | '';
  readonly unitFile?: Hash | undefined;
  readonly feedback?: Hash | undefined;
}

/** A file that the attempt consumes. */
export interface AssignedInput {
  readonly name: string;
  /** Its declared path. */
  readonly path: string;
  /** Undefined: the file is too large to be hashed, and only this machine has it. */
  readonly hash?: Hash | undefined;
  readonly size?: number | undefined;
}

/** What a person or a later phase said of an earlier result. */
export interface AssignedFeedback {
  readonly from: string;
  readonly kind: 'rejection' | 'revision';
  readonly text: string;
  readonly by: string;
  readonly at: string;
  /** The files that it is about, by label. */
  readonly shown?: Readonly<Record<string, Hash>> | undefined;
}

/** A call of a model with what is needed to make it and to count its cost. */
export interface AssignedCall extends PreparedCall {
  readonly provider: Provider;
  /** Undefined: the model has no known price. */
  readonly price?: Price | undefined;
  /** Sent with the request. The same while the same call has had no answer, so that a provider can refuse to charge twice. */
  readonly idempotencyKey: string;
}

/** A whole answer with all that is known of its call. */
export interface KeptAnswer {
  readonly key: Hash;
  /** The prompt that it answers, without what was said of an earlier answer. */
  readonly prompt: Hash | undefined;
  readonly text: string;
  readonly call: CallRecord;
  readonly cost: Cost;
}

/** What an executor returns, whether or not the attempt has a result. */
export interface ExecutorReport {
  readonly outcome: Result<Made, AttemptFailure>;
  /** What was spent, also by an attempt that failed; in the order of spending. */
  readonly costs: readonly Cost[];
  /** Names of log files in the scratch folder. */
  readonly logs: readonly string[];
  /** The step or its provider asks to be started again later. */
  readonly wait?: WaitRequest | undefined;
  /** The step asks for an earlier phase to run again. */
  readonly revision?: Revision | undefined;
  /** The call of a model that was made, or did not have to be. */
  readonly call?: CallRecord | undefined;
  /** The request of the call was sent, or may have been: it may have been paid. */
  readonly isSent?: boolean | undefined;
  /** The model's whole answer is kept in the scratch folder, also when it could not be used. */
  readonly isAnswered?: boolean | undefined;
}

/** Outputs of an attempt, not checked yet. */
export interface Made {
  readonly outputs: Readonly<Record<string, MadeOutput>>;
  /** The raw answer that they were made from. */
  readonly response?: Hash | undefined;
}

/** An output in the content store. */
export interface MadeOutput extends Runnable {
  readonly hash: Hash;
  /** A large one: the file in the scratch folder that has the same bytes, so that they need not be read into memory. */
  readonly file?: string | undefined;
}

/** Until when an attempt wants to wait, as far as the executor knows. */
export interface WaitRequest {
  readonly reason: PauseReason;
  /** The words of the provider, the command or the function. */
  readonly message: string;
  /** What the step asked for; milliseconds since 1970. */
  readonly retryAt?: number | undefined;
  /** What the provider asked for. */
  readonly waitMs?: number | undefined;
  /** What another attempt at the same call was paused until. */
  readonly until?: string | undefined;
}

/** An earlier phase has to run again, says a later one. */
export interface Revision {
  readonly phase: string;
  readonly reason: string;
}

/** A call with everything that will be sent, before it costs anything. */
export interface PreparedCall {
  readonly system: string | undefined;
  readonly turns: readonly ModelTurn[];
  readonly schema: JsonObject | undefined;
  /** Sent beside the prompt. Their bytes are those of the attempt's inputs. */
  readonly files: readonly AttachedFile[];
  /** The same for the same call in every unit and run. */
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
