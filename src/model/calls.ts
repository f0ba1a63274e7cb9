import type { Hash } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';

/* Phases that are calls of a language model: who is asked, with what, and what it may cost. */

/** What a phase of a model asks, and of whom. */
export interface ModelCall {
  readonly kind: 'model';
  /** A provider's name, and the model's name there: `anthropic` and `claude-sonnet-5`. */
  readonly provider: string;
  readonly model: string;
  readonly parameters: ModelParameters;
  /** Inputs that are sent as files beside the prompt. */
  readonly attach: readonly string[];
  /** `content`: the same call is answered by what was answered before, in whatever unit or run. */
  readonly reuse: 'content' | 'never';
}

export interface ModelParameters {
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly seed?: number;
  readonly stop?: readonly string[];
  /** For the provider alone, as it calls them. */
  readonly options?: JsonObject;
}

/** Which part of an answer becomes an output: all of its text, its JSON, or one member of that. */
export type AnswerPart =
  | { readonly kind: 'text' }
  | { readonly kind: 'json'; readonly key: string | undefined };

/** Where models are found, and how fast they may be asked. Never part of identity. */
export interface Models {
  readonly providers: readonly Provider[];
  /** By `PROVIDER/MODEL`; what the manifest says goes before what is built in. */
  readonly prices: Readonly<Record<string, Price>>;
  /** By `PROVIDER/MODEL`. */
  readonly limits: Readonly<Record<string, CallLimits>>;
}

export interface Provider {
  readonly name: string;
  readonly api: ProviderApi;
  /** A URL, or `$NAME`; undefined: the provider's own. */
  readonly baseUrl: string | undefined;
  /** The environment variable that holds the key; undefined: none is sent. */
  readonly key: string | undefined;
  /** Values may be `$NAME`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: CallLimits;
}

export type ProviderApi =
  | { readonly kind: 'anthropic' | 'openai' | 'google' | 'openai-compatible' }
  /** An exported function of a module in the workspace answers, without any network. */
  | { readonly kind: 'function'; readonly module: string; readonly name: string };

export interface CallLimits {
  /** Calls at a time. */
  readonly concurrency: number | undefined;
  readonly requestsPerMinute: number | undefined;
  readonly tokensPerMinute: number | undefined;
}

/** In USD per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Of input that the provider had kept, and for keeping it; undefined: as any other input. */
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
}

/** What may be spent, over every resume. Granting more changes no results. */
export interface Budget {
  readonly usd: number | undefined;
  /** Input and output together. */
  readonly tokens: number | undefined;
  /** Of all attempts together. */
  readonly timeMs: number | undefined;
  /** From this share on a notice is shown; from 0 to 1. */
  readonly warnAt: number;
  /** A call is always reserved by the most that it may come to. */
  readonly strict: boolean;
}

/** How a provider's model is called in one word. */
export function modelName({ provider, model }: Pick<ModelCall, 'provider' | 'model'>): string {
  return `${provider}/${model}`;
}

export function providerOf({ providers }: Pick<Models, 'providers'>, name: string): Provider {
  const provider = providers.find((one) => one.name === name);
  if (provider === undefined) throw new Error(`no provider ${name}`);
  return provider;
}

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
  /** The same for the same call, in any step or run. */
  readonly key: Hash;
  /** What it may cost at most, in USD, as far as prices are known. */
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
  /** The attempt of the same step whose answer had arrived when it was cut off. */
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
