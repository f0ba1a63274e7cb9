import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import type { AskedMessage, Finish, Usage } from './exchange.ts';
import { openAiError, openAiErrorDetails, readJsonFormat } from './openai.ts';
import * as read from './reading.ts';
import { bearer, createdAtSeconds, type Protocol, type Reply } from './wire.ts';

/** OpenAI's chat completions, and what so many other servers speak. */
export const chat: Protocol = {
  name: 'chat',
  requestIdHeader: 'x-request-id',
  lineEnd: '\n',
  keyOf: ({ headers }) => bearer(headers),
  error: openAiError,
  errorEvent: (kind, message) => ({ data: { error: openAiErrorDetails(kind, message) } }),
  read({ body, lenient }) {
    if (!lenient) read.onlyKnown(body, known);
    const messages = read.list(body.messages, 'messages').map(readMessage);
    const stream = read.optionalFlag(body.stream, 'stream');
    const options = read.optionalObject(body.stream_options, 'stream_options');
    if (options !== undefined && !stream) {
      throw new read.Malformed(
        'stream_options',
        "'stream_options' is only allowed when 'stream' is enabled.",
      );
    }
    read.optionalFlag(options?.include_usage, 'stream_options.include_usage');
    read.optionalCount(body.max_tokens, 'max_tokens');
    read.optionalCount(body.max_completion_tokens, 'max_completion_tokens');
    const format = read.optionalObject(body.response_format, 'response_format');
    return {
      model: read.filledText(body.model, 'model'),
      stream,
      system: textsOf(messages, true),
      messages: messages.flatMap(({ role, ...message }) => (role === 'system' ? [] : [{ role, ...message }])),
      schema: readJsonFormat(format, format?.json_schema, 'response_format.json_schema', {
        lenient,
        said: textsOf(messages, true) + textsOf(messages, false),
      }),
    };
  },
  stream(reply) {
    const withUsage = isUsageWanted(reply);
    const end = chunk(reply, [{ index: 0, delta: {}, finish_reason: finishWords[reply.finish] }], withUsage);
    const usage = withUsage ? [{ data: { ...chunk(reply, [], true), usage: usageOf(reply.usage) } }] : [];
    return {
      opening: [{ data: deltaOf(reply, { role: 'assistant', content: '' }, withUsage) }],
      pieces: reply.pieces.map((content) => ({ data: deltaOf(reply, { content }, withUsage) })),
      closing: [{ data: end }, ...usage, { data: '[DONE]' }],
    };
  },
  whole: (reply) => ({
    ...head(reply, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: reply.text, refusal: null },
        logprobs: null,
        finish_reason: finishWords[reply.finish],
      },
    ],
    usage: usageOf(reply.usage),
  }),
};

type Role = AskedMessage['role'] | 'system';
type ReadMessage = Omit<AskedMessage, 'role'> & { readonly role: Role };

const finishWords: Record<Finish, string> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content_filter',
  'tool-calls': 'tool_calls',
};
const roles = ['system', 'developer', 'user', 'assistant', 'tool'] as const;
const known = (
  'model messages stream stream_options response_format max_tokens max_completion_tokens temperature top_p n stop seed ' +
  'user frequency_penalty presence_penalty logit_bias logprobs top_logprobs tools tool_choice parallel_tool_calls ' +
  'reasoning_effort verbosity store metadata prediction service_tier prompt_cache_key prompt_cache_options ' +
  'prompt_cache_retention safety_identifier modalities audio web_search_options'
).split(' ');

function readMessage(value: JsonValue, at: number): ReadMessage {
  const path = `messages[${at}]`;
  const message = read.object(value, path);
  const role = read.oneOf(message.role, `${path}.role`, roles);
  const calls =
    message.tool_calls === undefined ? 0 : read.list(message.tool_calls, `${path}.tool_calls`).length;
  const { text, parts } = readContent(message.content, `${path}.content`, calls > 0);
  return { role: role === 'developer' ? 'system' : role, text, parts: parts + calls };
}

function readContent(
  content: JsonValue | undefined,
  path: string,
  mayLack: boolean,
): { text: string; parts: number } {
  if (mayLack && (content === undefined || content === null)) return { text: '', parts: 0 };
  if (typeof content === 'string') return { text: content, parts: 0 };
  return read.parts(content, path, readPart);
}

/** The text of a part; undefined for a part of another kind. */
function readPart(part: JsonObject, path: string): string | undefined {
  const type = read.oneOf(part.type, `${path}.type`, ['text', 'image_url', 'input_audio', 'file', 'refusal']);
  switch (type) {
    case 'text':
      return read.text(part.text, `${path}.text`);
    case 'refusal':
      return read.text(part.refusal, `${path}.refusal`);
    case 'image_url':
      read.fileUrl(read.object(part.image_url, `${path}.image_url`).url, `${path}.image_url.url`);
      return undefined;
    case 'input_audio':
    case 'file':
      read.object(part[type], `${path}.${type}`);
      return undefined;
  }
}

function textsOf(messages: readonly ReadMessage[], ofSystem: boolean): string {
  return messages.flatMap(({ role, text }) => ((role === 'system') === ofSystem ? [text] : [])).join('\n');
}

function isUsageWanted({ asked }: Reply): boolean {
  return read.optionalObject(asked.body.stream_options, 'stream_options')?.include_usage === true;
}

function head(reply: Reply, object: string): JsonObject {
  return {
    id: reply.id,
    object,
    created: createdAtSeconds,
    model: reply.model,
    system_fingerprint: 'fp_test',
  };
}

function chunk(reply: Reply, choices: readonly JsonObject[], withUsage: boolean): JsonObject {
  // Where usage is asked for, each chunk but the last has it as null.
  return { ...head(reply, 'chat.completion.chunk'), choices, ...(withUsage ? { usage: null } : {}) };
}

function deltaOf(reply: Reply, delta: JsonObject, withUsage: boolean): JsonObject {
  return chunk(reply, [{ index: 0, delta, logprobs: null, finish_reason: null }], withUsage);
}

function usageOf({ input, output, cacheRead = 0, cacheWrite, reasoning = 0 }: Usage): JsonObject {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: {
      cached_tokens: cacheRead,
      ...(cacheWrite === undefined ? {} : { cache_write_tokens: cacheWrite }),
    },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}
