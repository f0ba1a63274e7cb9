import type { ServerResponse } from 'node:http';
import { unreachable } from '../../../src/base/result.ts';
import { type Asked, countUsage, type Spoken, type Turn } from './exchange.ts';
import { type Protocol, type Reply, sseText } from './wire.ts';

/** What is done to a connection. */
export type Step =
  | {
      readonly do: 'head';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
    }
  /** Goes on when the bytes are on their way, so that what is destroyed next does not take them along. */
  | { readonly do: 'write'; readonly bytes: string | Uint8Array }
  | { readonly do: 'wait'; readonly until: Promise<unknown> }
  | { readonly do: 'end' }
  | { readonly do: 'destroy' };

/** Everything that a turn comes to, in order. Throws for a turn that makes no sense: that is a bug of the test. */
export function stepsOf(protocol: Protocol, asked: Asked, turn: Turn): Step[] {
  if (turn.do === 'refuse') return refusal(protocol, asked, turn);
  const spoken: Spoken = { ...turn, text: turn.text ?? '' };
  const answer = answerOf(protocol, replyOf(asked, spoken), spoken.chunks);
  const head = headOf(protocol, asked, 200, answer.contentType, spoken.headers);
  const after = afterOf(turn, answer.pieces.length);
  const said = after === 0 ? [] : [answer.opening, ...answer.pieces.slice(0, after)];
  const unsaid = (from: number): string[] => [
    ...(after === 0 ? [answer.opening] : []),
    ...answer.pieces.slice(from),
    answer.closing,
  ];
  switch (turn.do) {
    case 'answer':
      return [head, ...writes([...said, ...unsaid(after)]), end];
    case 'drop':
      return after === 0 ? [destroy] : [head, ...writes(said), destroy];
    case 'stop-short':
      return [head, ...writes(said), end];
    case 'hang': {
      const wait: Step = { do: 'wait', until: turn.until };
      const begin = [head, ...writes(said)];
      return [...(after === 0 ? [wait, ...begin] : [...begin, wait]), ...writes(unsaid(after)), end];
    }
    case 'garble':
      return [head, ...writes([...said, garbage, ...unsaid(after + 1)]), end];
    case 'error-event': {
      if (!asked.stream)
        return refusal(protocol, asked, { do: 'refuse', status: 500, message: turn.message });
      const sent = after === 0 ? 0 : answer.openingEvents + after;
      const event = protocol.errorEvent(turn.kind ?? 'overloaded', turn.message, sent);
      return [head, ...writes([...said, sseText(event, protocol.lineEnd)]), end];
    }
    default:
      return unreachable(turn);
  }
}

/** Carries the steps out; ends early, and without failing, when the client goes away. */
export async function carryOut(
  response: ServerResponse,
  steps: readonly Step[],
  gone: Promise<void>,
): Promise<void> {
  for (const step of steps) {
    if (response.destroyed) return;
    switch (step.do) {
      case 'head':
        response.writeHead(step.status, step.headers);
        break;
      case 'write':
        // A connection that closes need not tell its last writes.
        await Promise.race([new Promise<void>((done) => response.write(step.bytes, () => done())), gone]);
        break;
      case 'wait':
        await Promise.race([step.until, gone]);
        break;
      case 'end':
        response.end();
        break;
      case 'destroy':
        response.destroy();
        break;
      default:
        unreachable(step);
    }
  }
}

/** A refusal in the provider's own words, or in those of whatever stands between. */
export function refusal(
  protocol: Protocol,
  { path, nth }: Pick<Asked, 'path' | 'nth'>,
  turn: Turn & { do: 'refuse' },
  param?: string,
): Step[] {
  check(turn.status >= 300 && turn.status <= 599, `the status ${turn.status} refuses nothing`);
  const body = turn.body ?? protocol.error(turn.status, turn.message ?? `Refused at ${path}.`, param);
  const isText = typeof body === 'string';
  const type = isText ? 'text/html; charset=utf-8' : 'application/json';
  return [
    headOf(protocol, { nth }, turn.status, type, turn.headers),
    ...writes([isText ? body : JSON.stringify(body)]),
    end,
  ];
}

/** The bytes of a good answer: what comes before its text, one member for each piece of it, and what comes after. */
interface Answer {
  readonly contentType: string;
  readonly opening: string;
  readonly openingEvents: number;
  readonly pieces: readonly string[];
  readonly closing: string;
}

const end: Step = { do: 'end' };
const destroy: Step = { do: 'destroy' };
const textLengthMax = 16 * 1024 * 1024;
const chunksMax = 10_000;
const chunksUsual = 4;
/** The beginning of an event that never becomes JSON, with bytes that no UTF-8 has. */
const garbage = Buffer.concat([
  Buffer.from('data: {"broken": "'),
  Buffer.from([0xc3, 0xff, 0xfe]),
  Buffer.from('\n\n'),
]);

function answerOf(protocol: Protocol, reply: Reply, chunks = chunksUsual): Answer {
  if (!reply.asked.stream) {
    const document = JSON.stringify(protocol.whole(reply));
    const contentType = 'application/json';
    return { contentType, opening: '', openingEvents: 0, pieces: cut(document, chunks), closing: '' };
  }
  const streamed = protocol.stream(reply);
  const texts = (events: typeof streamed.pieces) => events.map((event) => sseText(event, protocol.lineEnd));
  return {
    contentType: 'text/event-stream; charset=utf-8',
    opening: texts(streamed.opening).join(''),
    openingEvents: streamed.opening.length,
    pieces: texts(streamed.pieces),
    closing: texts(streamed.closing).join(''),
  };
}

function replyOf(asked: Asked, spoken: Spoken): Reply {
  const { text, finish = 'stop', chunks = chunksUsual, model = asked.model } = spoken;
  check(text.length <= textLengthMax, `a text of more than ${textLengthMax} characters`);
  check(Number.isInteger(chunks) && chunks >= 1 && chunks <= chunksMax, `${chunks} chunks`);
  const usage = spoken.usage ?? countUsage(asked, text);
  const { input, output, cacheRead = 0, cacheWrite = 0, reasoning = 0 } = usage;
  const counts = [input - cacheRead - cacheWrite, output - reasoning, cacheRead, cacheWrite, reasoning];
  check(
    counts.every((count) => Number.isSafeInteger(count) && count >= 0),
    `usage that does not add up: ${JSON.stringify(usage)}`,
  );
  const id = spoken.id ?? `${idStarts[asked.protocol]}${asked.nth}`;
  return { asked, id, model, text, pieces: cut(text, chunks), finish, usage };
}

const idStarts: Record<Asked['protocol'], string> = {
  chat: 'chatcmpl-',
  responses: 'resp_',
  anthropic: 'msg_',
  google: 'response-',
};

function afterOf(turn: Exclude<Turn, { do: 'refuse' }>, pieces: number): number {
  if (turn.do === 'answer') return pieces;
  const after = turn.after ?? (turn.do === 'drop' || turn.do === 'hang' ? 0 : 1);
  check(Number.isInteger(after) && after >= 0 && after <= pieces, `after ${after} of ${pieces} pieces`);
  return after;
}

function headOf(
  protocol: Protocol,
  { nth }: Pick<Asked, 'nth'>,
  status: number,
  contentType: string,
  more: Readonly<Record<string, string>> = {},
): Step {
  const headers = { 'content-type': contentType, [protocol.requestIdHeader]: `req_${nth}`, ...more };
  return { do: 'head', status, headers };
}

function writes(parts: readonly (string | Uint8Array)[]): Step[] {
  return parts.filter((bytes) => bytes.length > 0).map((bytes) => ({ do: 'write', bytes }));
}

/** Pieces of about the same length, none empty, and no character cut in two. */
function cut(text: string, count: number): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (let nth = 1; nth <= count; nth++) {
    let to = Math.max(from, Math.round((text.length * nth) / count));
    if (/[\ud800-\udbff]/.test(text.charAt(to - 1))) to += 1;
    if (to > from) pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

function check(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(`a turn of the script makes no sense: ${otherwise}`);
}
