import type { JsonObject } from '../../base/json.ts';
import type { Result } from '../../base/result.ts';
import type { ModelParameters } from '../../model/definition.ts';
import type { Cost, PauseReason } from '../../model/event.ts';
import type { AttemptFailure } from '../../model/failure.ts';

/** What a model is asked. The same for every provider. */
export interface ModelRequest {
  /** The model's name at its provider. */
  readonly model: string;
  readonly system: string | undefined;
  /** The prompt; after an answer that could not be used also that answer, and what was wrong with it. */
  readonly turns: readonly ModelTurn[];
  readonly parameters: ModelParameters;
  /** The answer has to be JSON of this schema. */
  readonly schema: JsonObject | undefined;
  /** Sent beside the prompt. */
  readonly files: readonly ModelFile[];
  /** The same when a call is made again that was cut off: a provider can recognise a second charge by it. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

export interface ModelTurn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

export interface ModelFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: () => Uint8Array;
}

/** What came back, whole. */
export interface ModelAnswer {
  readonly text: string;
  /** Why it ended: `stop`, `length`, `content-filter`, or the provider's own word. */
  readonly finish: string;
  readonly usage: Omit<Cost, 'usd'>;
  /** The model's name as it was answered, and the provider's name for the call. */
  readonly answered: string | undefined;
  readonly request: string | undefined;
  /** What the provider has to say of the parameters. */
  readonly warnings?: readonly string[];
}

/** Why there is no answer. */
export type CallTrouble =
  | {
      readonly kind: 'failed';
      readonly failure: AttemptFailure;
      /** No connection was made, so that nothing was sent. */
      readonly isUnreached?: true;
    }
  /** The provider asks to wait; undefined: it does not say how long. */
  | {
      readonly kind: 'wait';
      readonly reason: PauseReason;
      readonly message: string;
      readonly waitMs: number | undefined;
    };

/** Asks models of one provider. */
export interface ModelClient {
  /** Tells each piece of the answer as it arrives. Never rejects but for a bug, or when `onPiece` throws. */
  ask(request: ModelRequest, onPiece: (text: string) => void): Promise<Result<ModelAnswer, CallTrouble>>;
}

/** Clients by the name of their provider, each made when it is first asked for. */
export type Connections = Map<string, Promise<Result<ModelClient, AttemptFailure>>>;
