import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import type { AskedMessage, Usage } from './exchange.ts';
import { openAiError, openAiErrorDetails, readJsonFormat } from './openai.ts';
import * as read from './reading.ts';
import { bearer, createdAtSeconds, type Protocol, type Reply, type SseEvent } from './wire.ts';

/** OpenAI's responses. */
export const responses: Protocol = {
  name: 'responses',
  requestIdHeader: 'x-request-id',
  lineEnd: '\n',
  keyOf: ({ headers }) => bearer(headers),
  error: openAiError,
  errorEvent: (kind, message, sent) => numbered({ type: 'error', ...withoutType(kind, message) }, sent),
  read({ body, lenient }) {
    if (!lenient) read.onlyKnown(body, known);
    const items = readInput(body.input);
    const instructions =
      body.instructions === undefined ? [] : [read.text(body.instructions, 'instructions')];
    const system = [...instructions, ...items.flatMap(({ role, text }) => (role === 'system' ? [text] : []))];
    const format = read.optionalObject(read.optionalObject(body.text, 'text')?.format, 'text.format');
    read.optionalCount(body.max_output_tokens, 'max_output_tokens');
    return {
      model: read.filledText(body.model, 'model'),
      stream: read.optionalFlag(body.stream, 'stream'),
      system: system.join('\n'),
      messages: items.flatMap(({ role, ...message }) => (role === 'system' ? [] : [{ role, ...message }])),
      schema: readJsonFormat(format, format, 'text.format', {
        lenient,
        said: system.join() + items.map(({ text }) => text).join(),
      }),
    };
  },
  stream(reply) {
    const item = itemId(reply);
    const place = { item_id: item, output_index: 0, content_index: 0 };
    const part = { type: 'output_text', text: '', annotations: [], logprobs: [] };
    const spoken = { ...part, text: reply.text };
    const opening = [
      { type: 'response.created', response: response(reply, 'in_progress', []) },
      { type: 'response.in_progress', response: response(reply, 'in_progress', []) },
      { type: 'response.output_item.added', output_index: 0, item: message(reply, 'in_progress', []) },
      { type: 'response.content_part.added', ...place, part },
    ];
    const pieces = reply.pieces.map((delta) => ({
      type: 'response.output_text.delta',
      ...place,
      delta,
      logprobs: [],
    }));
    const ended = message(reply, statusOf(reply), [spoken]);
    const closing = [
      { type: 'response.output_text.done', ...place, text: reply.text, logprobs: [] },
      { type: 'response.content_part.done', ...place, part: spoken },
      { type: 'response.output_item.done', output_index: 0, item: ended },
      { type: `response.${statusOf(reply)}`, response: response(reply, statusOf(reply), [ended]) },
    ];
    return {
      opening: opening.map((event, at) => numbered(event, at)),
      pieces: pieces.map((event, at) => numbered(event, opening.length + at)),
      closing: closing.map((event, at) => numbered(event, opening.length + pieces.length + at)),
    };
  },
  whole(reply) {
    const part = { type: 'output_text', text: reply.text, annotations: [], logprobs: [] };
    return response(reply, statusOf(reply), [message(reply, statusOf(reply), [part])]);
  },
};

type Status = 'in_progress' | 'completed' | 'incomplete';
type Item = Omit<AskedMessage, 'role'> & { readonly role: AskedMessage['role'] | 'system' };

const known = (
  'model input instructions stream stream_options text max_output_tokens temperature top_p store user metadata include ' +
  'reasoning tools tool_choice parallel_tool_calls max_tool_calls previous_response_id conversation service_tier truncation ' +
  'prompt_cache_key prompt_cache_options prompt_cache_retention safety_identifier top_logprobs background prompt'
).split(' ');
const partTypes = ['input_text', 'output_text', 'refusal', 'input_image', 'input_file'] as const;

function readInput(input: JsonValue | undefined): Item[] {
  if (typeof input === 'string') return [{ role: 'user', text: read.filledText(input, 'input'), parts: 0 }];
  return read
    .list(input, 'input')
    .map((value, at) => readItem(read.object(value, `input[${at}]`), `input[${at}]`));
}

function readItem(item: JsonObject, path: string): Item {
  if (item.type !== undefined && item.type !== 'message') {
    // Calls of tools, their results and thinking are taken as they are.
    const type = read.filledText(item.type, `${path}.type`);
    return { role: type.endsWith('_output') ? 'tool' : 'assistant', text: '', parts: 1 };
  }
  const role = read.oneOf(item.role, `${path}.role`, ['system', 'developer', 'user', 'assistant']);
  const content =
    typeof item.content === 'string'
      ? { text: item.content, parts: 0 }
      : read.parts(item.content, `${path}.content`, readPart);
  return { role: role === 'developer' ? 'system' : role, ...content };
}

/** The text of a part; undefined for a part of another kind. */
function readPart(part: JsonObject, path: string): string | undefined {
  const type = read.oneOf(part.type, `${path}.type`, partTypes);
  if (type === 'input_image') {
    if (part.file_id === undefined) read.fileUrl(part.image_url, `${path}.image_url`);
    return undefined;
  }
  if (type === 'input_file') {
    if (part.file_id === undefined) read.fileUrl(part.file_data ?? part.file_url, `${path}.file_data`);
    return undefined;
  }
  return type === 'refusal'
    ? read.text(part.refusal, `${path}.refusal`)
    : read.text(part.text, `${path}.text`);
}

function numbered(event: JsonObject, at: number): SseEvent {
  return { event: String(event.type), data: { ...event, sequence_number: at } };
}

/** Here the type of an error event is that of the event, and what OpenAI calls the type of an error has no place. */
function withoutType(...error: Parameters<typeof openAiErrorDetails>): JsonObject {
  const { type: _type, ...rest } = openAiErrorDetails(...error);
  return rest;
}

function itemId(reply: Reply): string {
  return `msg_${reply.id}`;
}

function statusOf({ finish }: Reply): Status {
  return finish === 'stop' ? 'completed' : 'incomplete';
}

function message(reply: Reply, status: Status, content: readonly JsonObject[]): JsonObject {
  return { id: itemId(reply), type: 'message', status, role: 'assistant', content };
}

function response(reply: Reply, status: Status, output: readonly JsonObject[]): JsonObject {
  const reasons = { length: 'max_output_tokens', 'content-filter': 'content_filter' };
  return {
    id: reply.id,
    object: 'response',
    created_at: createdAtSeconds,
    status,
    error: null,
    incomplete_details:
      status === 'incomplete' && reply.finish !== 'stop' && reply.finish !== 'tool-calls'
        ? { reason: reasons[reply.finish] }
        : null,
    model: reply.model,
    output,
    usage: status === 'in_progress' ? null : usageOf(reply.usage),
  };
}

function usageOf({ input, output, cacheRead = 0, cacheWrite, reasoning = 0 }: Usage): JsonObject {
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: cacheRead,
      ...(cacheWrite === undefined ? {} : { cache_write_tokens: cacheWrite }),
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}
