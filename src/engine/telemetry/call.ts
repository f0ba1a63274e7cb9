import type { Progress } from '../../runner/progress.ts';
import type { Attributes, Span } from './encode.ts';
import type { Instrument, Measures } from './measures.ts';

/*
 * Calls of models as the conventions of OpenTelemetry for generative AI name them
 * (github.com/open-telemetry/semantic-conventions-genai). They are not final: names change there, and only here.
 * Neither a prompt nor an answer is ever part of it.
 */

/** A call of a model that is over. */
export type CallEnded = Extract<Progress, { readonly type: 'call-ended' }>;

/** The part of a call's span that the call decides. */
export function callSpan(call: CallEnded): Pick<Span, 'name' | 'kind' | 'attributes' | 'error'> {
  return {
    name: `${operation} ${call.model}`,
    // Nothing left this process.
    kind: call.reused ? 'internal' : 'client',
    attributes: {
      ...calledModel(call),
      ...requestOf(call),
      ...responseOf(call),
      ...(call.reused ? { 'pawl.reused': true } : spentBy(call)),
      'error.type': call.failure,
    },
    error: call.failure,
  };
}

/** An answer that was taken a second time took no tokens and cost nothing. */
export function measureCall(measures: Measures, call: CallEnded, where: Attributes): void {
  if (call.reused) return;
  const model = calledModel(call);
  const { inputTokens, outputTokens } = call.usage;
  for (const [type, tokens] of [['input', inputTokens] as const, ['output', outputTokens] as const]) {
    if (tokens !== undefined) measures.add(tokenUsage, tokens, { ...model, 'gen_ai.token.type': type });
  }
  measures.add(operationDuration, call.ms / 1000, { ...model, 'error.type': call.failure });
  if (call.usd !== undefined) measures.add(costUsd, call.usd, { ...where, ...model });
}

const operation = 'chat';

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

function calledModel({ provider, model, answered }: CallEnded): Attributes {
  return {
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': providerNames.get(provider) ?? provider,
    'gen_ai.request.model': model,
    'gen_ai.response.model': answered,
  };
}

function requestOf({ parameters, firstMs }: CallEnded): Attributes {
  const { temperature, maxTokens, topP, topK, seed, stop } = parameters;
  return {
    'gen_ai.request.temperature': double(temperature),
    'gen_ai.request.max_tokens': int(maxTokens),
    'gen_ai.request.top_p': double(topP),
    'gen_ai.request.top_k': double(topK),
    'gen_ai.request.seed': int(seed),
    'gen_ai.request.stop_sequences': stop,
    'gen_ai.request.stream': firstMs === undefined ? undefined : true,
  };
}

function responseOf({ request: id, finish, firstMs }: CallEnded): Attributes {
  return {
    'gen_ai.response.id': id,
    'gen_ai.response.finish_reasons': finish === undefined ? undefined : [finish],
    'gen_ai.response.time_to_first_chunk': double(firstMs === undefined ? undefined : firstMs / 1000),
  };
}

/** Of a reused answer it is left out: whoever adds up what spans have spent would count it twice. */
function spentBy({ usage, usd }: CallEnded): Attributes {
  return {
    'gen_ai.usage.input_tokens': int(usage.inputTokens),
    'gen_ai.usage.output_tokens': int(usage.outputTokens),
    'gen_ai.usage.cache_read.input_tokens': int(usage.cacheReadTokens),
    'gen_ai.usage.cache_write.input_tokens': int(usage.cacheWriteTokens),
    'pawl.cost.usd': double(usd),
  };
}

function int(value: number | undefined): { readonly int: number } | undefined {
  return value === undefined ? undefined : { int: value };
}

function double(value: number | undefined): { readonly double: number } | undefined {
  return value === undefined ? undefined : { double: value };
}

/** With the buckets that the conventions ask for. */
const tokenUsage: Instrument = {
  kind: 'histogram',
  name: 'gen_ai.client.token.usage',
  unit: '{token}',
  description: 'Number of input and output tokens used.',
  bounds: Array.from({ length: 14 }, (_, power) => 4 ** power),
};

/** From 10 ms to 82 s, each twice the one before. */
const operationDuration: Instrument = {
  kind: 'histogram',
  name: 'gen_ai.client.operation.duration',
  unit: 's',
  description: 'GenAI operation duration.',
  bounds: Array.from({ length: 14 }, (_, power) => 2 ** power / 100),
};

const costUsd: Instrument = {
  kind: 'sum',
  counts: 'double',
  name: 'pawl.cost.usd',
  unit: '{USD}',
  description: 'What calls of models have cost.',
};
