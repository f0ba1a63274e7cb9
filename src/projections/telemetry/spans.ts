import type { ModelParameters } from '../../model/definition.ts';
import type { AttemptStarted, CallRecord, Cost, EventBody, StoredEvent } from '../../model/event.ts';
import { readReason } from '../../store/records/recorded-reason.ts';

/** Undefined values are left out. */
export type Attributes = Record<string, string | number | boolean | string[] | undefined>;

/** Something that took time and has ended. Neither a prompt nor an answer is ever part of it. */
export interface EndedSpan {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  /** A stable reason; undefined: it did not fail. */
  readonly error: string | undefined;
  /** It waited for another machine. */
  readonly isClient: boolean;
  /** Undefined values are not known, and not counted. */
  readonly measures: readonly [InstrumentName, number | undefined, Attributes][];
  readonly children: readonly EndedSpan[];
}

export type InstrumentName = keyof typeof instruments;

/** The buckets are those of the conventions for generative AI. */
export const instruments = {
  'gen_ai.client.token.usage': {
    unit: '{token}',
    description: 'Number of input and output tokens used.',
    advice: { explicitBucketBoundaries: Array.from({ length: 14 }, (_, power) => 4 ** power) },
  },
  'gen_ai.client.operation.duration': {
    unit: 's',
    description: 'GenAI operation duration.',
    advice: { explicitBucketBoundaries: Array.from({ length: 14 }, (_, power) => 2 ** power / 100) },
  },
  'pawl.cost.usd': { unit: '{USD}', description: 'What calls of models have cost.' },
  'pawl.phase.attempts': { unit: '{attempt}', description: 'Attempts that have ended.', valueType: 0 },
};

export interface FoldedRun {
  readonly id: string;
  readonly pipeline: string;
  /** What a phase asks its model with: of that the journal has only a hash. */
  readonly parametersOf: (phase: string) => ModelParameters;
}

/** An attempt whose end is not on record yet. */
export type OpenAttempt = AttemptStarted & { readonly at: string };
type AttemptEnd = Extract<EventBody, { type: keyof typeof outcomes }>;

const outcomes = {
  attempt_succeeded: 'succeeded',
  attempt_failed: 'failed',
  attempt_paused: 'paused',
  attempt_interrupted: 'interrupted',
  revision_requested: 'revised',
};

/** Folds an event into the open attempts of an invocation. The span of the attempt that it ends, if any. */
export function foldSpan(
  run: FoldedRun,
  open: Map<string, OpenAttempt>,
  event: StoredEvent,
): EndedSpan | undefined {
  if (!isAttemptEnd(event) && event.type !== 'attempt_started') return undefined;
  const key = `${event.unit}\n${event.phase}\n${event.attempt}`;
  const started = open.get(key);
  open.delete(key);
  if (event.type === 'attempt_started') open.set(key, event);
  else return started && attemptSpan(run, started, event, Date.parse(event.at));
  return undefined;
}

function isAttemptEnd(event: StoredEvent): event is StoredEvent & AttemptEnd {
  return event.type in outcomes;
}

/** The attempt has no end on record, because the invocation broke off. */
export function interruptedSpan(run: FoldedRun, started: OpenAttempt, endMs: number): EndedSpan {
  return attemptSpan(run, started, { ...started, type: 'attempt_interrupted', ms: 0 }, endMs);
}

function attemptSpan(run: FoldedRun, started: OpenAttempt, end: AttemptEnd, endMs: number): EndedSpan {
  const { unit, phase, attempt, round = 1 } = started;
  const of = { 'pawl.run.id': run.id, 'pawl.unit': unit, 'pawl.phase': phase, 'pawl.attempt': attempt };
  const where = { 'pawl.pipeline': run.pipeline, 'pawl.phase': phase };
  const outcome = { 'pawl.outcome': outcomes[end.type] };
  const startMs = Date.parse(started.at);
  const why = { 'pawl.iteration': round, 'pawl.why': readReason(started).code };
  const call = callIn(started, end, endMs - startMs);
  // The journal has no time for the start of a call. It is made right after the start of its attempt is on record.
  const times = { startMs, endMs: Math.min(startMs + (call?.ms ?? 0), endMs) };
  return {
    name: `pawl.phase ${phase}`,
    startMs,
    endMs,
    attributes: { ...of, ...why, ...outcome, ...attributesOf(end) },
    error: end.type === 'attempt_failed' ? end.reason : undefined,
    isClient: false,
    measures: [['pawl.phase.attempts', 1, { ...where, ...outcome }]],
    children: call ? [{ ...callSpan(call, of, where, run.parametersOf(phase)), ...times }] : [],
  };
}

function attributesOf(end: AttemptEnd): Attributes {
  if (end.type === 'attempt_failed') return { 'pawl.failure': end.reason, 'error.type': end.reason };
  if (end.type === 'attempt_paused') return { 'pawl.paused_for': end.reason, 'pawl.paused_until': end.until };
  // What is too long for a verdict is text of an answer.
  const isVerdict = end.type === 'attempt_succeeded' && (end.verdict?.length ?? 0) <= verdictLengthMax;
  return isVerdict ? { 'pawl.verdict': end.verdict } : {};
}

const verdictLengthMax = 40;

/** `error`: why there is no answer. */
type EndedCall = CallRecord & { readonly cost: Cost | undefined; readonly error?: string };

/** Undefined: the attempt made no call. */
function callIn({ call: intent }: OpenAttempt, end: AttemptEnd, ms: number): EndedCall | undefined {
  if (end.type === 'revision_requested') return undefined;
  const { cost } = end;
  if (end.type === 'attempt_interrupted') {
    if (intent === undefined || end.unsent) return undefined;
    return { model: intent.model, ms, cost, ...(cost === undefined && { error: 'interrupted' }) };
  }
  if (end.call === undefined) return undefined;
  if (end.type === 'attempt_succeeded' || end.call.finish !== undefined) return { ...end.call, cost };
  // It took no time if the provider had just turned away the same call of another attempt: this one was not made.
  return end.call.ms === 0 ? undefined : { ...end.call, cost, error: end.reason };
}

/**
 * Attributes as OpenTelemetry's conventions for generative AI name them. They are not final: names change there, and only
 * here (github.com/open-telemetry/semantic-conventions-genai).
 */
function callSpan(
  call: EndedCall,
  of: Attributes,
  where: Attributes,
  parameters: ModelParameters,
): Omit<EndedSpan, 'startMs' | 'endMs'> {
  const [provider = '', ...rest] = call.model.split('/');
  const name = rest.join('/');
  const { answered, finish, firstMs, cost = {}, error } = call;
  const isReused = call.reused !== undefined;
  // A reused answer has spent nothing: a sum over spans would count it twice.
  const spent: Cost = isReused ? {} : cost;
  const model = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': providerNames.get(provider) ?? provider,
    'gen_ai.request.model': name,
    'gen_ai.response.model': answered,
  };
  const attributes = {
    ...of,
    ...model,
    'gen_ai.request.temperature': parameters.temperature,
    'gen_ai.request.max_tokens': parameters.maxTokens,
    'gen_ai.request.top_p': parameters.topP,
    'gen_ai.request.top_k': parameters.topK,
    'gen_ai.request.seed': parameters.seed,
    'gen_ai.request.stop_sequences': parameters.stop && [...parameters.stop],
    'gen_ai.request.stream': firstMs === undefined ? undefined : true,
    'gen_ai.response.id': call.request,
    'gen_ai.response.finish_reasons': finish === undefined ? undefined : [finish],
    'gen_ai.response.time_to_first_chunk': firstMs === undefined ? undefined : firstMs / 1000,
    'gen_ai.usage.input_tokens': spent.inputTokens,
    'gen_ai.usage.output_tokens': spent.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': spent.cacheReadTokens,
    'gen_ai.usage.cache_write.input_tokens': spent.cacheWriteTokens,
    'pawl.cost.usd': spent.usd,
    'pawl.reused': isReused ? true : undefined,
    'error.type': error,
  };
  const seconds = isReused ? undefined : call.ms / 1000;
  const measures: EndedSpan['measures'] = [
    ['gen_ai.client.token.usage', spent.inputTokens, { ...model, 'gen_ai.token.type': 'input' }],
    ['gen_ai.client.token.usage', spent.outputTokens, { ...model, 'gen_ai.token.type': 'output' }],
    ['gen_ai.client.operation.duration', seconds, { ...model, 'error.type': error }],
    ['pawl.cost.usd', spent.usd, { ...where, ...model }],
  ];
  return { name: `chat ${name}`, attributes, error, isClient: !isReused, measures, children: [] };
}

/** Ours on the left. Every other provider goes by the name that the manifest gives it. */
const providerNames: ReadonlyMap<string, string> = new Map([
  ['azure', 'azure.ai.openai'],
  ['bedrock', 'aws.bedrock'],
  ['google', 'gcp.gemini'],
  ['mistral', 'mistral_ai'],
  ['moonshot', 'moonshot_ai'],
  ['vertex', 'gcp.vertex_ai'],
  ['watsonx', 'ibm.watsonx.ai'],
  ['xai', 'x_ai'],
]);
