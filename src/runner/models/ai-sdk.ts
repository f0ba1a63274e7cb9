import type {
  CallWarning,
  FilePart,
  ImagePart,
  LanguageModel,
  ModelMessage,
  TextPart,
  TextStreamPart,
  ToolSet,
} from 'ai';
import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Provider, ProviderApi } from '../../model/definition.ts';
import type { Cost } from '../../model/event.ts';
import type {
  CallTrouble,
  ModelAnswer,
  ModelClient,
  ModelFile,
  ModelRequest,
} from '../executors/model-client.ts';
import { isClosed } from './answer-parts.ts';
import { isTextType } from './attached-files.ts';
import { findPackage, loadPackage, packagesOf } from './packages.ts';
import { type ProviderError, troubleOf } from './provider-errors.ts';

type Sdk = Pick<typeof import('ai'), 'streamText' | 'Output' | 'jsonSchema'>;

/** What a provider is reached with: taken from the environment, and kept nowhere. */
export interface Access {
  readonly key: string | undefined;
  readonly baseUrl: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Asks through the AI SDK; undefined: its packages are not installed. */
export function sdkClient(
  root: string,
  provider: Provider,
  access: Access,
  clock: Clock,
): ModelClient | undefined {
  const { api } = provider;
  if (api.kind === 'function') throw new Error(`${provider.name} is a function`);
  const paths = packagesOf[api.kind].map((wanted) => findPackage(root, wanted));
  const [sdkPath, providerPath] = paths;
  if (sdkPath === undefined || providerPath === undefined) return undefined;
  const sdk = loadPackage(sdkPath) as Sdk;
  // What it would print on the way is recorded with the call.
  (globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS ??= false;
  const models = modelsOf(api.kind, loadPackage(providerPath), provider.name, access);
  return { ask: (request, onPiece) => ask(sdk, models(request.model), provider, request, onPiece, clock) };
}

/** Every package has its own way to create a model. */
function modelsOf(
  kind: Exclude<ProviderApi['kind'], 'function'>,
  loaded: unknown,
  name: string,
  { key, baseUrl, headers }: Access,
): (model: string) => LanguageModel {
  const fetch = patientFetch();
  const settings = { apiKey: key ?? '', headers, fetch, ...(baseUrl !== undefined && { baseURL: baseUrl }) };
  switch (kind) {
    case 'anthropic':
      return (loaded as typeof import('@ai-sdk/anthropic')).createAnthropic(settings);
    case 'openai':
      return (loaded as typeof import('@ai-sdk/openai')).createOpenAI(settings);
    case 'google':
      return (loaded as typeof import('@ai-sdk/google')).createGoogleGenerativeAI(settings);
    case 'openai-compatible': {
      const { createOpenAICompatible } = loaded as typeof import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({
        name,
        baseURL: baseUrl ?? '',
        headers: { ...headers },
        fetch,
        ...(key !== undefined && { apiKey: key }),
        includeUsage: true,
        supportsStructuredOutputs: true,
      });
    }
  }
}

async function ask(
  { streamText, Output, jsonSchema }: Sdk,
  model: LanguageModel,
  provider: Provider,
  request: ModelRequest,
  onPiece: (text: string) => void,
  clock: Clock,
): Promise<Result<ModelAnswer, CallTrouble>> {
  const { temperature, maxTokens, topP, topK, seed, stop } = request.parameters;
  const result = streamText({
    model,
    messages: messagesOf(request),
    // Waiting and trying again is the runner's: only there is it on record.
    maxRetries: 0,
    abortSignal: request.signal,
    headers: { 'idempotency-key': request.idempotencyKey },
    // Errors come with the stream as well; the SDK would print them.
    onError: () => undefined,
    ...(request.system !== undefined && { system: request.system }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(seed !== undefined && { seed }),
    ...(stop !== undefined && { stopSequences: [...stop] }),
    providerOptions: optionsOf(provider, request) as never,
    ...(request.schema !== undefined && {
      output: Output.object({ schema: jsonSchema(request.schema as never) }),
    }),
  });
  const heard = new Heard(onPiece);
  try {
    for await (const part of result.fullStream) heard.take(part);
  } catch (error) {
    // What the caller does with a piece is no fault of the provider's.
    if (heard.trouble !== undefined) throw heard.trouble.error;
    heard.error ??= { error };
  }
  if (heard.error !== undefined) {
    const { error } = heard.error;
    // What the SDK finds wrong before it has sent anything is no fault of the way.
    const isUnsent = !heard.isAnswered && isOwnError(error);
    const words = isUnsent || !isUnreadable(error) ? {} : { message: unreadable };
    const isUnreached = !heard.isAnswered && isConnectError(error);
    return fail(troubleOf({ ...errorFacts(error), ...words, isUnsent, isUnreached }, clock.now()));
  }
  return heard.answer();
}

/** What only this provider understands. */
function optionsOf({ api }: Provider, { parameters, schema }: ModelRequest): JsonObject {
  const name = api.kind === 'openai-compatible' ? 'openaiCompatible' : api.kind;
  const isOpenAi = api.kind === 'openai' || api.kind === 'openai-compatible';
  // OpenAI turns down a schema that leaves anything open, unless `strictJsonSchema` is false.
  const strict = isOpenAi && schema !== undefined && !isClosed(schema) ? { strictJsonSchema: false } : {};
  return { [name]: { ...strict, ...parameters.options } };
}

/** What a stream has said so far. */
class Heard {
  readonly #onPiece: (text: string) => void;
  #text = '';
  #finish: { readonly reason: string; readonly raw: string | undefined } | undefined;
  #usage: Omit<Cost, 'usd'> = {};
  #answered: string | undefined;
  #request: string | undefined;
  #warnings: readonly string[] = [];
  isAnswered = false;
  error: { readonly error: unknown } | undefined;
  trouble: { readonly error: unknown } | undefined;

  constructor(onPiece: (text: string) => void) {
    this.#onPiece = onPiece;
  }

  take(part: TextStreamPart<ToolSet>): void {
    switch (part.type) {
      case 'text-delta':
        this.#text += part.text;
        try {
          this.#onPiece(part.text);
        } catch (error) {
          this.trouble = { error };
          throw error;
        }
        return;
      case 'start-step':
        this.isAnswered = true;
        this.#warnings = part.warnings.map(warningWords);
        return;
      case 'finish-step': {
        const { response, usage, finishReason, rawFinishReason } = part;
        const { inputTokens, outputTokens, inputTokenDetails } = usage;
        const { cacheReadTokens, cacheWriteTokens } = inputTokenDetails;
        this.#finish = { reason: finishReason, raw: rawFinishReason };
        this.#usage = {
          ...(inputTokens !== undefined && { inputTokens }),
          ...(outputTokens !== undefined && { outputTokens }),
          ...(cacheReadTokens && { cacheReadTokens }),
          ...(cacheWriteTokens && { cacheWriteTokens }),
        };
        this.#answered = response.modelId;
        this.#request = response.headers?.['request-id'] ?? response.headers?.['x-request-id'] ?? response.id;
        return;
      }
      case 'error':
        this.error ??= { error: part.error };
        return;
      default:
    }
  }

  /** A stream that ended without saying why was cut off on its way, even where it ended well. */
  answer(): Result<ModelAnswer, CallTrouble> {
    const finish = this.#finish;
    if (finish === undefined || (finish.reason === 'other' && finish.raw === undefined))
      return fail({
        kind: 'failed',
        failure: { reason: 'connection-lost', message: 'the answer broke off' },
      });
    return ok({
      text: this.#text,
      finish: finish.reason === 'other' ? (finish.raw ?? finish.reason) : finish.reason,
      usage: this.#usage,
      answered: this.#answered,
      request: this.#request,
      ...(this.#warnings.length > 0 && { warnings: this.#warnings }),
    });
  }
}

function warningWords(warning: CallWarning): string {
  if (warning.type === 'other') return warning.message;
  return [warning.type, warning.feature, warning.details].filter((word) => word !== undefined).join(': ');
}

/** Files stand before the text of the first turn. */
function messagesOf({ turns, files }: ModelRequest): ModelMessage[] {
  return turns.map(({ role, text }, nth): ModelMessage => {
    if (role === 'assistant') return { role, content: text };
    if (nth > 0 || files.length === 0) return { role, content: text };
    return { role, content: [...files.map(partOf), { type: 'text', text }] };
  });
}

/** Text goes as text: few providers take it as a file. */
function partOf({ name, mediaType, bytes }: ModelFile): TextPart | ImagePart | FilePart {
  if (isTextType(mediaType))
    return { type: 'text', text: `<file name="${name}">\n${new TextDecoder().decode(bytes())}\n</file>` };
  return mediaType.startsWith('image/')
    ? { type: 'image', image: bytes(), mediaType }
    : { type: 'file', data: bytes(), mediaType, filename: name };
}

/** With what caused it. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return `${error.message} ${wordsOf(error.cause)}`;
}

/** An error of the SDK's own, or of an address that is none, and not of a call that was made. */
function isOwnError(error: unknown): boolean {
  const name = error instanceof Error ? error.name : '';
  if (name.startsWith('AI_') && name !== 'AI_APICallError' && name !== 'AI_EmptyResponseBodyError')
    return true;
  return /invalid url|failed to parse url|invalid header|bad port/i.test(wordsOf(error));
}

const connecting: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo']);

/** The server was not found, or took no connection; it stands somewhere in what caused the error. */
function isConnectError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { syscall, code } = error as NodeJS.ErrnoException;
  if (connecting.has(syscall) || code === 'UND_ERR_CONNECT_TIMEOUT') return true;
  // One for each address of a name.
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isConnectError);
  return isConnectError(error.cause);
}

/** The SDK's errors, by their fields: which of its classes they are depends on how often it is installed. */
function errorFacts(error: unknown): ProviderError {
  if (typeof error !== 'object' || error === null)
    return { status: undefined, headers: {}, body: '', message: String(error) };
  const { statusCode, responseHeaders, responseBody, message, cause } = error as {
    statusCode?: unknown;
    responseHeaders?: Readonly<Record<string, string>>;
    responseBody?: unknown;
    message?: unknown;
    cause?: unknown;
  };
  // An error in the middle of a stream is the provider's own object.
  const said = typeof message === 'string' ? message : JSON.stringify(error).slice(0, 2_000);
  const why = cause instanceof Error && !said.includes(cause.message) ? ` (${firstLine(cause.message)})` : '';
  return {
    status: typeof statusCode === 'number' ? statusCode : undefined,
    headers: responseHeaders ?? {},
    body:
      typeof responseBody === 'string' ? responseBody : error instanceof Error ? '' : JSON.stringify(error),
    message: `${said}${why}`,
  };
}

/** What has no shape that its protocol knows: the SDK would tell all of it, and all that it expected instead. */
function isUnreadable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return unreadableNames.has(error.name) || isUnreadable(error.cause);
}

const unreadable = 'a part of the answer could not be read';
const unreadableNames: ReadonlySet<string> = new Set([
  'AI_TypeValidationError',
  'AI_JSONParseError',
  'AI_InvalidResponseDataError',
]);

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/**
 * Node's fetch gives up on a server that says nothing for five minutes, and models may think for longer: how long a call
 * may take is for the phase's own time limit. The limits are those of its dispatcher, which has no public name; where there
 * is none of the kind that is known, fetch stays as it is.
 */
export function patientFetch(silenceMs = 0): typeof fetch {
  let dispatcher: Promise<object | undefined> | undefined;
  return async (input, init) => {
    dispatcher ??= dispatcherWith(silenceMs);
    const patient = await dispatcher;
    return await fetch(
      input,
      patient === undefined ? init : ({ ...init, dispatcher: patient } as RequestInit),
    );
  };
}

const shared = Symbol.for('undici.globalDispatcher.1');

async function dispatcherWith(silenceMs: number): Promise<object | undefined> {
  // The dispatcher is made with the first fetch; this one opens no connection.
  await fetch('data:,');
  const known = (globalThis as { [shared]?: object })[shared];
  const Agent = known?.constructor as (new (options: object) => object) | undefined;
  // A dispatcher that the user has set, such as a proxy, is kept.
  if (Agent?.name !== 'Agent') return undefined;
  try {
    return new Agent({ headersTimeout: silenceMs, bodyTimeout: silenceMs });
  } catch {
    return undefined;
  }
}
