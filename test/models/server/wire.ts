import type { JsonObject } from '../../../src/base/json.ts';
import type { Asked, ErrorKind, Finish, ProtocolName, Usage } from './exchange.ts';

/** How one protocol reads requests and writes answers: functions on data, the sending is done elsewhere. */
export interface Protocol {
  readonly name: ProtocolName;
  /** The key that a request shows, wherever this protocol carries it. */
  keyOf(request: Received): string | undefined;
  /** Throws Malformed for what the provider would refuse. */
  read(request: Received): Question;
  stream(reply: Reply): Streamed;
  /** The answer as one document. */
  whole(reply: Reply): JsonObject;
  /** The body of an HTTP error. */
  error(status: number, message: string, param?: string): JsonObject;
  /** An error within a stream, after `sent` other events. */
  errorEvent(kind: ErrorKind, message: string, sent: number): SseEvent;
  /** The header that a provider names its answers by. */
  readonly requestIdHeader: string;
  readonly lineEnd: '\n' | '\r\n';
}

/** A request before it is understood. */
export interface Received {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  /** What OpenAI refuses and many compatible servers take is taken. */
  readonly lenient: boolean;
}

export type Question = Pick<Asked, 'model' | 'stream' | 'system' | 'messages' | 'schema'>;

/** An answer with all its parts, ready to be put into the form of a protocol. */
export interface Reply {
  readonly asked: Asked;
  readonly id: string;
  readonly model: string;
  readonly text: string;
  readonly pieces: readonly string[];
  readonly finish: Finish;
  readonly usage: Usage;
}

export interface SseEvent {
  readonly event?: string;
  readonly data: JsonObject | '[DONE]';
}

/** The events of a stream; those of a piece are one for each piece of the text. */
export interface Streamed {
  readonly opening: readonly SseEvent[];
  readonly pieces: readonly SseEvent[];
  readonly closing: readonly SseEvent[];
}

/** One moment for all answers, so that two runs of a test see the same bytes. */
export const createdAtSeconds = 1_767_225_600;

export function sseText({ event, data }: SseEvent, lineEnd: string): string {
  const name = event === undefined ? '' : `event: ${event}${lineEnd}`;
  return `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}${lineEnd}${lineEnd}`;
}

export function bearer(headers: Readonly<Record<string, string>>): string | undefined {
  return /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
}
