import { isJsonObject, type JsonValue, parseJson } from '../../base/json.ts';
import type { PauseReason } from '../../model/event.ts';
import type { AttemptFailureReason } from '../../model/failure.ts';
import type { CallTrouble } from '../executors/model-client.ts';

/** What a provider answered instead of a model's answer; or what broke on the way. */
export interface ProviderError {
  /** Of the HTTP answer; undefined: there was none. */
  readonly status: number | undefined;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  readonly message: string;
  /** Nothing was sent: the call itself is none that could be made. */
  readonly isUnsent?: boolean;
  /** Nothing was sent: no connection was made. */
  readonly isUnreached?: boolean;
}

/** Secrets are taken out of it before it is cut for people. */
const messageLengthMax = 100_000;

/** What to do about an error: wait, try again, or have a person fix something. */
export function troubleOf(error: ProviderError, now: number): CallTrouble {
  const { status } = error;
  const code = codeOf(error.body);
  const message = (messageOf(error.body) ?? error.message).slice(0, messageLengthMax);
  const wait = (reason: PauseReason): CallTrouble => ({
    kind: 'wait',
    reason,
    message,
    waitMs: waitOf(error, now),
  });
  const failed = (reason: AttemptFailureReason): CallTrouble => ({
    kind: 'failed',
    failure: { reason, message, ...(status !== undefined && { facts: { status } }) },
    ...(error.isUnreached && { isUnreached: true }),
  });
  // An error in the middle of a stream comes with status 200, and says itself what it is.
  if (code === 'overloaded_error') return wait('overloaded');
  if (code === 'insufficient_quota' || code === 'billing_hard_limit_reached') return wait('quota');
  if (code === 'rate_limit_error' || code === 'rate_limit_exceeded') return wait(limitKind(error));
  if (error.body.includes('API_KEY_INVALID')) return failed('not-authorized');
  if (code === 'authentication_error' || code === 'permission_error' || code === 'invalid_api_key')
    return failed('not-authorized');
  if (code === 'not_found_error' || code === 'model_not_found') return failed('model-unknown');
  if (error.isUnsent) return failed('call-refused');
  // Also after a good beginning: then the stream broke.
  if (status === undefined || status < 400) return failed('connection-lost');
  if (status === 429) return wait(limitKind(error));
  // A person has to pay first, which can be done while other steps run.
  if (status === 402) return wait('quota');
  if (status === 529 || (status === 503 && waitOf(error, now) !== undefined)) return wait('overloaded');
  if (status === 401 || status === 403) return failed('not-authorized');
  if (status === 404) return failed('model-unknown');
  if (status >= 500 || status === 408 || status === 409 || status === 425) return failed('server-error');
  return failed('call-refused');
}

/** So much a day and no more is another thing than too many at a time. */
function limitKind({ body, message }: ProviderError): PauseReason {
  const said = `${body} ${message}`;
  if (/per[ _-]?day|daily/i.test(said)) return 'quota';
  // What is granted for a minute is called a quota as well.
  return /quota/i.test(said) && !/per[ _-]?min/i.test(said) ? 'quota' : 'rate-limited';
}

const waitMsMax = 7 * 24 * 60 * 60_000;

/** How long the provider says to wait; undefined: it does not. */
function waitOf({ headers, body }: ProviderError, now: number): number | undefined {
  const ms = Number(headers['retry-after-ms']);
  if (headers['retry-after-ms'] !== undefined && ms >= 0) return clamp(ms);
  const after = headers['retry-after'];
  if (after !== undefined && /^\d+(\.\d+)?$/.test(after.trim())) return clamp(Number(after) * 1000);
  const at = after === undefined ? Number.NaN : Date.parse(after);
  if (!Number.isNaN(at)) return clamp(at - now);
  // Google says it in the body.
  const delay = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1];
  if (delay !== undefined) return clamp(Number(delay) * 1000);
  const resets = limitHeaders.flatMap(([remaining, reset]) => {
    const left = headers[remaining];
    return left !== undefined && Number(left) > 0 ? [] : (resetAt(headers[reset], now) ?? []);
  });
  return resets.length === 0 ? undefined : clamp(Math.max(...resets));
}

/** What is left of a limit, and when it is renewed. */
const limitHeaders = [
  ['anthropic-ratelimit-requests-remaining', 'anthropic-ratelimit-requests-reset'],
  ['anthropic-ratelimit-tokens-remaining', 'anthropic-ratelimit-tokens-reset'],
  ['x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'],
  ['x-ratelimit-remaining-tokens', 'x-ratelimit-reset-tokens'],
] as const;

/** A time, seconds, or a duration such as `6m0s`. */
function resetAt(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(value.trim())) return Number(value) * 1000;
  const parts = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?$/.exec(value.trim());
  if (parts !== null && value.trim() !== '') {
    const [, h = '0', m = '0', s = '0', ms = '0'] = parts;
    return Number(h) * 3_600_000 + Number(m) * 60_000 + Number(s) * 1000 + Number(ms);
  }
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : at - now;
}

function clamp(ms: number): number {
  return Math.min(Math.max(0, Math.ceil(ms)), waitMsMax);
}

/** Providers say what went wrong as `error.type` or `error.code`, in one shape or another. */
function codeOf(body: string): string | undefined {
  const error = errorOf(body);
  for (const name of ['code', 'type', 'status']) {
    const value = error?.[name];
    if (typeof value === 'string' && value !== 'error') return value;
  }
  return undefined;
}

function messageOf(body: string): string | undefined {
  const message = errorOf(body)?.message;
  return typeof message === 'string' && message !== '' ? message : undefined;
}

function errorOf(body: string): { readonly [name: string]: JsonValue } | undefined {
  const parsed = parseJson(body);
  const first = Array.isArray(parsed) ? parsed[0] : parsed;
  if (!isJsonObject(first)) return undefined;
  return isJsonObject(first.error) ? first.error : first;
}
