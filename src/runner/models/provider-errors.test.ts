import { describe, expect, it } from 'vitest';
import { type ProviderError, troubleOf } from './provider-errors.ts';

const now = Date.parse('2026-11-15T12:00:00.000Z');

function error(
  status: number | undefined,
  body: unknown = '',
  headers: Record<string, string> = {},
): ProviderError {
  return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body), message: 'said' };
}

/** What it comes to, in a word: why it failed, or why and how long one has to wait. */
function wordOf(given: ProviderError): string {
  const trouble = troubleOf(given, now);
  return trouble.kind === 'failed'
    ? trouble.failure.reason
    : `${trouble.reason} ${trouble.waitMs ?? 'unsaid'}`;
}

const openAi = (type: string, code: string | null, message = 'no') => ({
  error: { message, type, param: null, code },
});
const anthropic = (type: string, message = 'no') => ({ type: 'error', error: { type, message } });
const google = (code: number, status: string, message = 'no', details: unknown[] = []) => ({
  error: { code, status, message, details },
});

describe('an HTTP error', () => {
  it.each<[number, string]>([
    [400, 'call-refused'],
    [401, 'not-authorized'],
    [402, 'quota unsaid'],
    [403, 'not-authorized'],
    [404, 'model-unknown'],
    [405, 'call-refused'],
    [408, 'server-error'],
    [409, 'server-error'],
    [413, 'call-refused'],
    [422, 'call-refused'],
    [425, 'server-error'],
    [429, 'rate-limited unsaid'],
    [500, 'server-error'],
    [502, 'server-error'],
    [503, 'server-error'],
    [504, 'server-error'],
    [529, 'overloaded unsaid'],
    [599, 'server-error'],
  ])('%i without a word is %s', (status, word) => {
    expect(wordOf(error(status))).toBe(word);
    expect(wordOf(error(status, '<html>proxy</html>'))).toBe(word);
  });

  it.each<[string, ProviderError, string]>([
    ['OpenAI: a wrong key', error(401, openAi('invalid_request_error', 'invalid_api_key')), 'not-authorized'],
    [
      'OpenAI: no such model',
      error(404, openAi('invalid_request_error', 'model_not_found')),
      'model-unknown',
    ],
    [
      'OpenAI: a model that one may not use',
      error(403, openAi('invalid_request_error', 'model_not_found')),
      'model-unknown',
    ],
    [
      'OpenAI: too long',
      error(400, openAi('invalid_request_error', 'context_length_exceeded')),
      'call-refused',
    ],
    [
      'OpenAI: too fast',
      error(
        429,
        openAi('requests', 'rate_limit_exceeded', 'Rate limit reached for gpt-5 on requests per min'),
      ),
      'rate-limited unsaid',
    ],
    [
      'OpenAI: so much a day',
      error(429, openAi('requests', 'rate_limit_exceeded', 'Rate limit reached on requests per day (RPD)')),
      'quota unsaid',
    ],
    ['OpenAI: no money', error(429, openAi('insufficient_quota', 'insufficient_quota')), 'quota unsaid'],
    ['OpenAI: broken', error(500, openAi('server_error', null)), 'server-error'],
    ['Anthropic: a wrong key', error(401, anthropic('authentication_error')), 'not-authorized'],
    ['Anthropic: not allowed', error(403, anthropic('permission_error')), 'not-authorized'],
    ['Anthropic: no such model', error(404, anthropic('not_found_error')), 'model-unknown'],
    ['Anthropic: malformed', error(400, anthropic('invalid_request_error')), 'call-refused'],
    ['Anthropic: too large', error(413, anthropic('request_too_large')), 'call-refused'],
    [
      'Anthropic: too fast',
      error(429, anthropic('rate_limit_error', 'rate limit of 50 requests per minute'), {
        'retry-after': '7',
      }),
      'rate-limited 7000',
    ],
    [
      'Anthropic: so much a day',
      error(429, anthropic('rate_limit_error', 'your daily limit')),
      'quota unsaid',
    ],
    ['Anthropic: overloaded', error(529, anthropic('overloaded_error')), 'overloaded unsaid'],
    ['Anthropic: broken', error(500, anthropic('api_error')), 'server-error'],
    ['Google: not allowed', error(403, google(403, 'PERMISSION_DENIED')), 'not-authorized'],
    ['Google: no such model', error(404, google(404, 'NOT_FOUND')), 'model-unknown'],
    ['Google: malformed', error(400, google(400, 'INVALID_ARGUMENT')), 'call-refused'],
    [
      'Google: overloaded',
      error(503, google(503, 'UNAVAILABLE', 'The model is overloaded.')),
      'server-error',
    ],
    [
      'Google: so much a day',
      error(
        429,
        google(429, 'RESOURCE_EXHAUSTED', 'no', [
          { quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' },
          { retryDelay: '3600s' },
        ]),
      ),
      'quota 3600000',
    ],
    ['Google, as a list', error(404, [google(404, 'NOT_FOUND')]), 'model-unknown'],
  ])('of %s is %s', (_, given, word) => {
    expect(wordOf(given)).toBe(word);
  });

  it('of Google for a wrong key comes as a malformed request, and is none', () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }];
    const said = google(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', details);
    expect(wordOf(error(400, said))).toBe('not-authorized');
  });

  it('of Google that has a limit by the minute is no quota, though it is called one', () => {
    const said = google(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', [
      { violations: [{ quotaId: 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier' }] },
    ]);
    expect(wordOf(error(429, said))).toBe('rate-limited unsaid');
  });

  it('has the provider’s own words, its status, and not more of them than anybody keeps', () => {
    expect(troubleOf(error(400, openAi('invalid_request_error', null, 'Too hot')), now)).toEqual({
      kind: 'failed',
      failure: { reason: 'call-refused', message: 'Too hot', facts: { status: 400 } },
    });
    expect(troubleOf(error(400, '<html>'), now)).toMatchObject({ failure: { message: 'said' } });
    const long = troubleOf(error(400, openAi('x', null, 'x'.repeat(999_999))), now);
    expect(long.kind === 'failed' && long.failure.message.length).toBe(100_000);
  });
});

describe('what breaks on the way', () => {
  it.each<[string, ProviderError, string]>([
    ['nothing came', error(undefined), 'connection-lost'],
    ['the stream broke', error(200), 'connection-lost'],
    [
      'an error in a stream: overloaded',
      error(undefined, { type: 'overloaded_error', message: 'x' }),
      'overloaded unsaid',
    ],
    [
      'an error in a stream: too fast',
      error(undefined, { type: 'rate_limit_error', message: 'x' }),
      'rate-limited unsaid',
    ],
    [
      'an error in a stream: broken',
      error(undefined, { type: 'api_error', message: 'x' }),
      'connection-lost',
    ],
    [
      'an error in a stream: too fast, of OpenAI',
      error(undefined, { message: 'x', type: 'tokens', code: 'rate_limit_exceeded' }),
      'rate-limited unsaid',
    ],
  ])('%s', (_, given, word) => {
    expect(wordOf(given)).toBe(word);
  });

  it('has no facts where there was no answer', () => {
    expect(troubleOf(error(undefined), now)).toEqual({
      kind: 'failed',
      failure: { reason: 'connection-lost', message: 'said' },
    });
  });
});

describe('how long one has to wait', () => {
  it.each<[string, Record<string, string>, number | undefined]>([
    ['seconds', { 'retry-after': '7' }, 7000],
    ['parts of a second', { 'retry-after': '0.25' }, 250],
    ['with blanks', { 'retry-after': ' 7 ' }, 7000],
    ['milliseconds, before seconds', { 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
    ['milliseconds that are none', { 'retry-after-ms': 'soon', 'retry-after': '9' }, 9000],
    ['a time', { 'retry-after': 'Sun, 15 Nov 2026 12:01:00 GMT' }, 60_000],
    ['a time that has passed', { 'retry-after': 'Sun, 15 Nov 2026 11:00:00 GMT' }, 0],
    ['a year: no more than a week', { 'retry-after': '31536000' }, 7 * 86_400_000],
    ['nothing that means anything', { 'retry-after': 'later' }, undefined],
    ['when Anthropic counts anew', { 'anthropic-ratelimit-requests-reset': '2026-11-15T12:00:30Z' }, 30_000],
    ['when OpenAI counts anew', { 'x-ratelimit-reset-tokens': '6m0s' }, 360_000],
    ['the same in parts', { 'x-ratelimit-reset-requests': '1h2m3.5s' }, 3_723_500],
    ['the same in milliseconds', { 'x-ratelimit-reset-requests': '120ms' }, 120],
    ['nothing', {}, undefined],
    ['an empty word', { 'x-ratelimit-reset-requests': '' }, undefined],
  ])('%s', (_, headers, waitMs) => {
    expect(troubleOf(error(429, '', headers), now)).toMatchObject({ kind: 'wait', waitMs });
  });

  it('is until all that has run out is there again, and not until the first of it is', () => {
    const headers = {
      'x-ratelimit-remaining-requests': '499',
      'x-ratelimit-reset-requests': '120ms',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '6m0s',
    };
    expect(troubleOf(error(429, '', headers), now)).toMatchObject({ waitMs: 360_000 });
  });

  it('is a number of seconds where a number stands alone', () => {
    expect(troubleOf(error(429, '', { 'x-ratelimit-reset-requests': '60' }), now)).toMatchObject({
      waitMs: 60_000,
    });
  });

  it('makes a server wait that is not there for now', () => {
    expect(wordOf(error(503, '', { 'retry-after': '3' }))).toBe('overloaded 3000');
    expect(wordOf(error(529, '', { 'retry-after': '3' }))).toBe('overloaded 3000');
    expect(wordOf(error(500, '', { 'retry-after': '3' }))).toBe('server-error');
  });
});

it('takes any body, however odd', () => {
  for (const body of [
    'null',
    '[]',
    '[1]',
    '7',
    '"x"',
    '{"error":null}',
    '{"error":"x"}',
    '{"error":{"code":7}}',
    '{',
    '{"error":{"message":""}}',
  ])
    expect(wordOf(error(400, body))).toBe('call-refused');
});
