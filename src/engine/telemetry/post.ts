import { type Clock, parseTime } from '../../base/clock.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { networkCode } from '../../runner/network-code.ts';
import type { Destination } from './settings.ts';

/** As `fetch` is called. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

export interface PostGround {
  readonly clock: Clock;
  readonly send: Send;
  /** Fires: nobody waits for it any more. */
  readonly cut: AbortSignal;
}

/** Why something was not sent. Neither an address nor a header is ever told: either may hold a secret. */
export interface PostTrouble {
  readonly reason: 'timed-out' | 'unreachable' | 'http-status';
  readonly facts?: Readonly<Record<string, string | number>>;
}

/** Posts JSON, once more where the collector asks for that, and tells how many of the things sent it has refused. */
export async function post(
  { clock, send, cut }: PostGround,
  { url, headers, timeoutMs }: Destination,
  body: JsonObject,
): Promise<Result<number, PostTrouble>> {
  const request = new AbortController();
  const timer = new AbortController();
  const giveUp = () => request.abort();
  cut.addEventListener('abort', giveUp);
  const untilMs = clock.monotonicMs() + timeoutMs;
  void clock.sleep(timeoutMs, timer.signal).then(giveUp);
  try {
    const init = requestOf(headers, body, request.signal);
    let response = await send(url, init);
    const waitMs = retryAfterMs(response, clock.now());
    if (waitMs !== undefined && clock.monotonicMs() + waitMs < untilMs) {
      discard(response);
      await clock.sleep(waitMs, request.signal);
      response = await send(url, init);
    }
    if (response.ok) return ok(await refusedIn(response));
    discard(response);
    return fail({ reason: 'http-status', facts: { status: response.status } });
  } catch (error) {
    if (request.signal.aborted) return fail({ reason: 'timed-out', facts: { timeoutMs } });
    return fail({ reason: 'unreachable', ...networkCode(error) });
  } finally {
    cut.removeEventListener('abort', giveUp);
    timer.abort();
  }
}

const answerBytesMax = 65_536;
const retryStatuses = [429, 502, 503, 504];
const retryMsDefault = 1000;
const retryMsMax = 5000;

function requestOf(headers: ReadonlyMap<string, string>, body: JsonObject, signal: AbortSignal): RequestInit {
  const own = { 'content-type': 'application/json' };
  return {
    method: 'POST',
    headers: { 'user-agent': 'pawl', ...Object.fromEntries(headers), ...own },
    body: JSON.stringify(body),
    // Not followed: what the headers hold is meant for this host and for no other.
    redirect: 'manual',
    signal,
  };
}

/** Undefined: not to be sent again. Whoever asks for a longer rest is left in peace. */
function retryAfterMs({ status, headers }: Response, nowMs: number): number | undefined {
  if (!retryStatuses.includes(status)) return undefined;
  const text = headers.get('retry-after');
  if (text === null) return retryMsDefault;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : (parseTime(text) ?? Number.NaN) - nowMs;
  return ms <= retryMsMax ? Math.max(0, ms) : undefined;
}

/** A collector may take the request and refuse a part of what is in it. An answer that is not understood refuses nothing. */
async function refusedIn(response: Response): Promise<number> {
  if (response.headers.get('content-type')?.startsWith('application/json') !== true) {
    discard(response);
    return 0;
  }
  try {
    const answer: unknown = JSON.parse(await textOf(response));
    const part = isJsonObject(answer) ? answer.partialSuccess : undefined;
    if (!isJsonObject(part)) return 0;
    const count = Number(part.rejectedSpans ?? part.rejectedDataPoints ?? 0);
    return Number.isSafeInteger(count) && count > 0 ? count : 0;
  } catch {
    return 0;
  }
}

/** A body may be endless. */
async function textOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > answerBytesMax) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function discard({ body }: Response): void {
  void body?.cancel().catch(() => undefined);
}
