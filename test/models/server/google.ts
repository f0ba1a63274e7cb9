import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import type { AskedMessage, ErrorKind, Finish, Usage } from './exchange.ts';
import * as read from './reading.ts';
import type { Protocol, Reply } from './wire.ts';

/** Google's generative language. */
export const google: Protocol = {
  name: 'google',
  requestIdHeader: 'x-goog-request-id',
  lineEnd: '\r\n',
  keyOf: ({ headers, query }) => headers['x-goog-api-key'] ?? query.get('key') ?? undefined,
  error: (status, message) => ({
    error: {
      code: status,
      message,
      status: statusWords.get(status) ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL'),
    },
  }),
  errorEvent: (kind, message) => ({ data: { error: { ...events[kind], message } } }),
  read({ path, query, body, lenient }) {
    if (!lenient) read.onlyKnown(body, known);
    const [, model = '', method] = googlePath.exec(path) ?? [];
    const stream = method === 'streamGenerateContent';
    if (stream && query.get('alt') !== 'sse') {
      throw new read.Malformed('alt', 'Only streams of server-sent events are spoken here: alt=sse.');
    }
    const config = read.optionalObject(body.generationConfig, 'generationConfig');
    read.optionalCount(config?.maxOutputTokens, 'generationConfig.maxOutputTokens');
    const instruction = read.optionalObject(body.systemInstruction, 'systemInstruction');
    return {
      model: decodeName(model),
      stream,
      system:
        instruction === undefined
          ? ''
          : read.parts(instruction.parts, 'systemInstruction.parts', readPart).text,
      messages: read.list(body.contents, 'contents').map(readContent),
      schema: readSchema(config),
    };
  },
  stream: (reply) => ({
    opening: [],
    pieces: reply.pieces.map((text) => ({ data: response(reply, text, false) })),
    closing: [{ data: response(reply, '', true) }],
  }),
  whole: (reply) => response(reply, reply.text, true),
};

/** Where models are asked; the model and the method stand in the path. */
export const googlePath = /\/(?:models|tunedModels)\/([^/:]+):(generateContent|streamGenerateContent)$/;

const statusWords = new Map([
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [429, 'RESOURCE_EXHAUSTED'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
]);
const events: Record<ErrorKind, JsonObject> = {
  overloaded: { code: 503, status: 'UNAVAILABLE' },
  'rate-limit': { code: 429, status: 'RESOURCE_EXHAUSTED' },
  internal: { code: 500, status: 'INTERNAL' },
};
const finishWords: Record<Finish, string> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  'content-filter': 'SAFETY',
  'tool-calls': 'STOP',
};
const known = (
  'contents systemInstruction generationConfig safetySettings tools toolConfig cachedContent labels serviceTier ' +
  'continuationToken'
).split(' ');

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new read.Malformed('model', `Invalid 'model': ${name}.`);
  }
}

function readContent(value: JsonValue, at: number): AskedMessage {
  const path = `contents[${at}]`;
  const content = read.object(value, path);
  const role = read.oneOf(content.role, `${path}.role`, ['user', 'model']);
  return {
    role: role === 'model' ? 'assistant' : 'user',
    ...read.parts(content.parts, `${path}.parts`, readPart),
  };
}

/** The text of a part; undefined for a part of another kind. */
function readPart(part: JsonObject, path: string): string | undefined {
  if (part.text !== undefined) return read.text(part.text, `${path}.text`);
  const kind = partKinds.find((key) => part[key] !== undefined);
  if (kind === undefined) throw new read.Malformed(path, `Invalid '${path}': contains no data.`);
  const data = read.object(part[kind], `${path}.${kind}`);
  if (kind === 'inlineData') {
    read.filledText(data.mimeType, `${path}.inlineData.mimeType`);
    read.base64(data.data, `${path}.inlineData.data`);
  }
  if (kind === 'fileData') read.filledText(data.fileUri, `${path}.fileData.fileUri`);
  return undefined;
}

const partKinds = ['inlineData', 'fileData', 'functionCall', 'functionResponse', 'toolCall', 'toolResponse'];

function readSchema(config: JsonObject | undefined): JsonObject | undefined {
  const schema = read.optionalObject(config?.responseSchema, 'generationConfig.responseSchema');
  if (schema !== undefined) {
    read.oneOf(config?.responseMimeType, 'generationConfig.responseMimeType', [
      'application/json',
      'text/x.enum',
    ]);
  }
  return schema;
}

function response(reply: Reply, text: string, isLast: boolean): JsonObject {
  const end = isLast ? { finishReason: finishWords[reply.finish] } : {};
  return {
    candidates: [{ content: { parts: [{ text }], role: 'model' }, ...end, index: 0 }],
    usageMetadata: usageOf(reply.usage, isLast),
    modelVersion: reply.model,
    responseId: reply.id,
  };
}

function usageOf({ input, output, cacheRead, reasoning = 0 }: Usage, isLast: boolean): JsonObject {
  const cached = cacheRead === undefined ? {} : { cachedContentTokenCount: cacheRead };
  // What comes out is counted only when all of it has.
  if (!isLast) return { promptTokenCount: input, totalTokenCount: input, ...cached };
  return {
    promptTokenCount: input,
    candidatesTokenCount: output - reasoning,
    totalTokenCount: input + output,
    ...cached,
    ...(reasoning === 0 ? {} : { thoughtsTokenCount: reasoning }),
  };
}
