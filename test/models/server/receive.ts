import type { IncomingMessage } from 'node:http';
import { isJsonObject, type JsonObject } from '../../../src/base/json.ts';
import { fail, ok, type Result } from '../../../src/base/result.ts';
import { anthropic } from './anthropic.ts';
import { chat } from './chat.ts';
import type { Asked } from './exchange.ts';
import { google, googlePath } from './google.ts';
import { Malformed } from './reading.ts';
import { responses } from './responses.ts';
import type { Protocol } from './wire.ts';

/** What every request has to fulfil. */
export interface Rules {
  /** The key that every request has to show; without it any will do, and none. */
  readonly key?: string;
  /** Takes what providers refuse and many compatible servers take: unknown fields, any schema, JSON that nobody speaks of. */
  readonly lenient?: boolean;
}

export interface Rejection {
  /** The one in whose words it is told. */
  readonly protocol: Protocol;
  readonly status: number;
  readonly message: string;
  readonly param?: string;
}

export interface Understood {
  readonly protocol: Protocol;
  readonly asked: Omit<Asked, 'nth'>;
}

/** Reads a request and understands it, or says why a provider would not. */
export async function receive(
  request: IncomingMessage,
  rules: Rules,
): Promise<Result<Understood, Rejection>> {
  const [path = '/', search = ''] = (request.url ?? '/').split('?', 2);
  const query = new URLSearchParams(search);
  const found = protocolAt(path);
  const protocol = found ?? chat;
  const reject = (status: number, message: string, param?: string) =>
    fail({ protocol, status, message, ...(param === undefined ? {} : { param }) });
  if (found === undefined) return reject(404, `Unknown request URL: ${request.method} ${path}.`);
  if (request.method !== 'POST') return reject(405, `Not allowed to ${request.method} ${path}.`);
  const bytes = await readBody(request);
  if (bytes === undefined) return reject(413, `The request is larger than ${bodyBytesMax} bytes.`);
  const headers = headersOf(request);
  const received = { path, query, headers, lenient: rules.lenient === true };
  if (rules.key !== undefined && protocol.keyOf({ ...received, body: {} }) !== rules.key) {
    return reject(401, 'Incorrect API key provided.');
  }
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) {
    return reject(400, 'The content type has to be application/json.');
  }
  const body = parseObject(bytes);
  if (body === undefined) return reject(400, 'The body of the request is not a JSON object.');
  try {
    const question = protocol.read({ ...received, body });
    const prompt = question.messages.findLast(({ role }) => role === 'user')?.text ?? '';
    return ok({ protocol, asked: { protocol: protocol.name, path, ...question, prompt, body, headers } });
  } catch (error) {
    if (error instanceof Malformed) return reject(400, error.message, error.param);
    throw error;
  }
}

const bodyBytesMax = 32 * 1024 * 1024;

function protocolAt(path: string): Protocol | undefined {
  if (path.endsWith('/chat/completions')) return chat;
  if (path.endsWith('/responses')) return responses;
  if (path.endsWith('/messages')) return anthropic;
  return googlePath.test(path) ? google : undefined;
}

/** Undefined when there is too much of it. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    // Read to its end all the same: an answer that comes while a client still writes may be lost to it.
    if (size <= bodyBytesMax) pieces.push(piece);
  }
  return size <= bodyBytesMax ? Buffer.concat(pieces) : undefined;
}

function headersOf(request: IncomingMessage): Record<string, string> {
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  );
  return Object.fromEntries(headers);
}

function parseObject(bytes: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
