import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json.ts';
import type { AskedMessage, ErrorKind, Finish, Usage } from './exchange.ts';
import * as read from './reading.ts';
import { bearer, type Protocol, type Reply, type SseEvent } from './wire.ts';

/** Anthropic's messages. */
export const anthropic: Protocol = {
  name: 'anthropic',
  requestIdHeader: 'request-id',
  lineEnd: '\n',
  keyOf: ({ headers }) => headers['x-api-key'] ?? bearer(headers),
  error: (status, message) =>
    errorOf(errorTypes.get(status) ?? (status < 500 ? badRequest : broken), message),
  errorEvent: (kind, message) => named(errorOf(eventTypes[kind], message)),
  read({ body, headers, lenient }) {
    read.filledText(headers['anthropic-version'], 'anthropic-version');
    if (!lenient) read.onlyKnown(body, known);
    read.count(body.max_tokens, 'max_tokens');
    return {
      model: read.filledText(body.model, 'model'),
      stream: read.optionalFlag(body.stream, 'stream'),
      system: body.system === undefined ? '' : readContent(body.system, 'system').text,
      messages: read.list(body.messages, 'messages').map(readMessage),
      schema: readSchema(body),
    };
  },
  stream(reply) {
    const tool = jsonTool(reply.asked.body) !== undefined;
    const block = tool ? { ...toolUse(reply), input: {} } : { type: 'text', text: '' };
    const opening = [
      { type: 'message_start', message: message(reply, [], undefined) },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'ping' },
    ];
    const pieces = reply.pieces.map((piece) => ({
      type: 'content_block_delta',
      index: 0,
      delta: tool ? { type: 'input_json_delta', partial_json: piece } : { type: 'text_delta', text: piece },
    }));
    const closing = [
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: stopReason(reply.finish, tool), stop_sequence: null },
        usage: usageOf(reply.usage, reply.usage.output),
      },
      { type: 'message_stop' },
    ];
    return { opening: opening.map(named), pieces: pieces.map(named), closing: closing.map(named) };
  },
  whole(reply) {
    const input = jsonTool(reply.asked.body) === undefined ? undefined : parseObject(reply.text);
    const content = input === undefined ? { type: 'text', text: reply.text } : { ...toolUse(reply), input };
    return message(reply, [content], stopReason(reply.finish, input !== undefined));
  },
};

const badRequest = 'invalid_request_error';
const broken = 'api_error';
const errorTypes = new Map([
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
]);
const eventTypes: Record<ErrorKind, string> = {
  overloaded: 'overloaded_error',
  'rate-limit': 'rate_limit_error',
  internal: 'api_error',
};
const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
const known = (
  'model messages system max_tokens stream temperature top_k top_p stop_sequences tools tool_choice thinking output_config ' +
  'metadata service_tier cache_control container context_management mcp_servers speed inference_geo fallbacks'
).split(' ');

function readMessage(value: JsonValue, at: number): AskedMessage {
  const path = `messages[${at}]`;
  const found = read.object(value, path);
  const role = read.oneOf(found.role, `${path}.role`, ['user', 'assistant']);
  return { role, ...readContent(found.content, `${path}.content`) };
}

function readContent(content: JsonValue | undefined, path: string): { text: string; parts: number } {
  if (typeof content === 'string') return { text: read.filledText(content, path), parts: 0 };
  return read.parts(content, path, readBlock);
}

/** The text of a block; undefined for a block of another kind. */
function readBlock(block: JsonObject, path: string): string | undefined {
  const type = read.filledText(block.type, `${path}.type`);
  if (type === 'text') return read.filledText(block.text, `${path}.text`);
  if (type === 'image' || type === 'document')
    readSource(read.object(block.source, `${path}.source`), type, `${path}.source`);
  return undefined;
}

function readSource(source: JsonObject, type: 'image' | 'document', path: string): void {
  const from = read.oneOf(source.type, `${path}.type`, ['base64', 'url', 'file', 'text']);
  if (from === 'url') read.fileUrl(source.url, `${path}.url`);
  if (from === 'file') read.filledText(source.file_id, `${path}.file_id`);
  if (from !== 'base64') return;
  read.oneOf(source.media_type, `${path}.media_type`, type === 'image' ? imageTypes : ['application/pdf']);
  read.base64(source.data, `${path}.data`);
}

/** A schema comes as a format for the answer, or as the input of a tool that the model has to use. */
function readSchema(body: JsonObject): JsonObject | undefined {
  const format = read.optionalObject(
    read.optionalObject(body.output_config, 'output_config')?.format,
    'output_config.format',
  );
  if (format === undefined) return jsonTool(body);
  read.oneOf(format.type, 'output_config.format.type', ['json_schema']);
  const schema = read.object(format.schema, 'output_config.format.schema');
  read.closedSchema(schema, 'output_config.format.schema', false);
  return schema;
}

/** What the tool takes through which models are asked for JSON that have no format for answers. */
function jsonTool(body: JsonObject): JsonObject | undefined {
  if (body.tools === undefined) return undefined;
  const tools = read.list(body.tools, 'tools').map((tool, at) => read.object(tool, `tools[${at}]`));
  const at = tools.findIndex(({ name }) => name === 'json');
  if (at < 0) return undefined;
  const schema = read.object(tools[at]?.input_schema, `tools[${at}].input_schema`);
  read.oneOf(schema.type, `tools[${at}].input_schema.type`, ['object']);
  return schema;
}

function named(data: JsonObject): SseEvent {
  return { event: String(data.type), data };
}

function errorOf(type: string, message: string): JsonObject {
  return { type: 'error', error: { type, message } };
}

function stopReason(finish: Finish, tool: boolean): string {
  if (finish === 'stop') return tool ? 'tool_use' : 'end_turn';
  return finish === 'length' ? 'max_tokens' : 'refusal';
}

function message(reply: Reply, content: readonly JsonObject[], reason: string | undefined): JsonObject {
  return {
    id: reply.id,
    type: 'message',
    role: 'assistant',
    model: reply.model,
    content,
    stop_reason: reason ?? null,
    stop_sequence: null,
    // A stream begins before anything is made: what comes out is told at its end.
    usage: usageOf(reply.usage, reason === undefined ? 1 : reply.usage.output),
  };
}

function toolUse(reply: Reply): JsonObject {
  return { type: 'tool_use', id: `toolu_${reply.id}`, name: 'json' };
}

/** Here cached tokens are not part of the input. */
function usageOf({ input, cacheRead = 0, cacheWrite = 0, reasoning }: Usage, output: number): JsonObject {
  return {
    input_tokens: input - cacheRead - cacheWrite,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: output,
    ...(reasoning === undefined ? {} : { output_tokens_details: { thinking_tokens: reasoning } }),
  };
}

/** A document can hold an input of a tool only as an object; anything else the model said instead of using it. */
function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
