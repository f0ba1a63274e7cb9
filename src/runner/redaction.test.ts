import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Provider } from '../model/definition.ts';
import { commandRedactor, createRedactor, namedByProviders, type Redactor } from './redaction.ts';

const limits = { concurrency: undefined, requestsPerMinute: undefined, tokensPerMinute: undefined };

function provider(more: Partial<Provider>): Provider {
  const api = { kind: 'openai-compatible' as const };
  return { name: 'p', api, baseUrl: undefined, key: undefined, headers: {}, limits, ...more };
}

/** Everything that comes out of a stream. */
function streamed(redactor: Redactor, pieces: readonly string[]): string {
  let out = '';
  const stream = redactor.stream((text) => {
    out += text;
  });
  for (const piece of pieces) stream.push(piece);
  stream.end();
  return out;
}

/** All ways to cut a text in two. */
function* cuts(text: string): Generator<readonly [string, string]> {
  for (let at = 0; at <= text.length; at++) yield [text.slice(0, at), text.slice(at)];
}

describe('a secret', () => {
  it('is what a variable holds that is called one, or that a provider uses', () => {
    const env = {
      OPENAI_API_KEY: 'value-of-api-key',
      GITHUB_TOKEN: 'value-of-token',
      DB_PASSWORD: 'value-of-password',
      AWS_SECRET_ACCESS_KEY: 'value-of-secret',
      npm_config_credential: 'value-of-credential',
      TEAM: 'value-of-team-key',
      PROXY: 'value-of-header',
      HOME: '/home/ann/work',
    };
    const given = provider({ key: 'TEAM', headers: { 'x-proxy': 'Basic $PROXY', accept: 'text/plain' } });
    const { redactValues } = createRedactor(env, namedByProviders([given]));
    expect(redactValues(Object.values(env).join(' '))).toBe(
      '[OPENAI_API_KEY] [GITHUB_TOKEN] [DB_PASSWORD] [AWS_SECRET_ACCESS_KEY] [npm_config_credential] [TEAM] [PROXY] /home/ann/work',
    );
  });

  it('is taken out wherever it stands, as often as it does', () => {
    const { redactValues } = createRedactor({ API_KEY: 'abcdefgh' });
    expect(redactValues('abcdefgh, abcdefghabcdefgh.')).toBe('[API_KEY], [API_KEY][API_KEY].');
  });

  it('that is a part of another is not what is left of that', () => {
    const { redactValues } = createRedactor({ A_TOKEN: 'abcdefgh', B_TOKEN: 'abcdefgh-ijkl' });
    expect(redactValues('abcdefgh-ijkl abcdefgh')).toBe('[B_TOKEN] [A_TOKEN]');
  });

  it('may hold whatever has a meaning elsewhere', () => {
    const { redactValues } = createRedactor({ A_TOKEN: "$&.*+?^(){}|[]\\$'", NAME$_TOKEN: '$1$2$3$4' });
    expect(redactValues("x$&.*+?^(){}|[]\\$'y")).toBe('x[A_TOKEN]y');
    expect(redactValues('$1$2$3$4')).toBe('[NAME$_TOKEN]');
  });

  it('is none that is as short as a word, or that is not set', () => {
    const { redactValues } = createRedactor({ A_TOKEN: 'short', B_TOKEN: '', C_TOKEN: undefined });
    expect(redactValues('a short text')).toBe('a short text');
  });
});

describe('what a command was handed by name', () => {
  const outside = { A: 'abcdef', B: 'abcdefgh', C: 'short', GITHUB_TOKEN: 'value-of-token' };

  it('is a secret whatever it is called, the longest first, and nothing else is', () => {
    const redactor = commandRedactor(
      { ONE: '$A', TWO: '$B?', THREE: '$C', FOUR: 'abc', FIVE: 'x $A' },
      outside,
    );
    expect(redactor?.redactValues('abcdefgh abcdef short abc value-of-token')).toBe(
      '[B] [A] short abc value-of-token',
    );
  });

  it('may be nothing, or not there', () => {
    expect(commandRedactor({ ONE: 'abc', TWO: 'x $A' }, outside)).toBeUndefined();
    expect(commandRedactor({ ONE: '$MISSING' }, outside)?.redactValues('abcdef')).toBe('abcdef');
  });
});

describe('what looks like a key', () => {
  const { redact, redactValues } = createRedactor({});

  it.each([
    'sk-abcdefghijklmnop1234',
    'sk-ant-api03-abcdefghijklmnop_1234',
    'sk-proj-abcdefghijklmnop',
    `AIza${'x'.repeat(35)}`,
    `ghp_${'x'.repeat(36)}`,
    `github_pat_${'x'.repeat(30)}`,
    'AKIAABCDEFGHIJKLMNOP',
    'Bearer abcdefghijklmnop.qrst==',
  ])('%s is taken out of what a provider says, and not of one’s own texts', (key) => {
    expect(redact(`Wrong: ${key}.`)).toMatch(/^Wrong: \[key\]\.?$/);
    expect(redactValues(`Wrong: ${key}.`)).toBe(`Wrong: ${key}.`);
  });

  it.each([
    'risk-averse-and-very-long-words',
    'sk-short',
    'task-abcdefghijklmnopqrstuvwxyz',
    'Bearer of bad news',
    'AKIA',
  ])('%s is no key', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('a text that arrives in pieces', () => {
  const env = { API_KEY: 'sekret-value', LONG_TOKEN: 'se-another-value' };
  const redactor = createRedactor(env);

  it('says nothing of a secret, wherever it is cut', () => {
    const text = 'Key: sekret-value, and se-another-value, sekret-valu and sek';
    const clean = redactor.redactValues(text);
    for (const pieces of cuts(text)) expect(streamed(redactor, pieces)).toBe(clean);
    for (const [head, tail] of cuts(text))
      for (const [middle, end] of cuts(tail)) expect(streamed(redactor, [head, middle, end])).toBe(clean);
    expect(streamed(redactor, [...text])).toBe(clean);
  });

  it('is passed on as far as it cannot become one', () => {
    const out: string[] = [];
    const stream = redactor.stream((text) => out.push(text));
    stream.push('Hello ');
    expect(out).toEqual(['Hello ']);
    stream.push('se');
    expect(out).toEqual(['Hello ']);
    stream.push('ven');
    expect(out.join('')).toBe('Hello seven');
    stream.push(' sekret-value');
    expect(out.join('')).toBe('Hello seven [API_KEY]');
    stream.push('sek');
    stream.end();
    expect(out.join('')).toBe('Hello seven [API_KEY]sek');
    stream.end();
    expect(out.join('')).toBe('Hello seven [API_KEY]sek');
  });

  it('is passed on at once where there are no secrets', () => {
    const out: string[] = [];
    const stream = createRedactor({}).stream((text) => out.push(text));
    stream.push('sk');
    stream.push('-x');
    expect(out).toEqual(['sk', '-x']);
  });

  it('shows no rest of a secret that begins with another', () => {
    const both = createRedactor({ A_TOKEN: 'abcdefgh', B_TOKEN: 'abcdefgh-ijkl' });
    for (const pieces of cuts('x abcdefgh-ijkl y')) expect(streamed(both, pieces)).toBe('x [B_TOKEN] y');
  });
});

describe('always', () => {
  const secret = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '$', '.'), minLength: 8, maxLength: 12 });
  const secrets = fc.uniqueArray(secret, { minLength: 1, maxLength: 3 });
  const envOf = (values: readonly string[]) =>
    Object.fromEntries(values.map((value, at) => [`X${at}_TOKEN`, value]));
  const between = fc.string({
    unit: fc.constantFrom('a', 'b', 'c', '[', ']', '$', 'x', '\n', '\uD83E', '\uDD8A'),
  });

  it('no secret leaves, however the text comes', () => {
    const texts = secrets.chain((values) =>
      fc.record({
        values: fc.constant(values),
        pieces: fc.array(
          fc.oneof(
            between,
            fc.constantFrom(...values),
            ...values.map((value) => fc.nat(value.length).map((at) => value.slice(0, at))),
            ...values.map((value) => fc.nat(value.length).map((at) => value.slice(at))),
          ),
          { maxLength: 12 },
        ),
      }),
    );
    fc.assert(
      fc.property(texts, ({ values, pieces }) => {
        const redactor = createRedactor(envOf(values));
        const out = streamed(redactor, pieces);
        for (const value of values) {
          expect(out).not.toContain(value);
          expect(redactor.redactValues(pieces.join(''))).not.toContain(value);
          expect(redactor.redact(pieces.join(''))).not.toContain(value);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('a text without secrets stays as it is', () => {
    fc.assert(
      fc.property(secrets, fc.array(between, { maxLength: 12 }), (values, pieces) => {
        const text = pieces.join('');
        fc.pre(values.every((value) => !text.includes(value)));
        const redactor = createRedactor(envOf(values));
        expect(streamed(redactor, pieces)).toBe(text);
        expect(redactor.redactValues(text)).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  it('a text in pieces comes to the same as the whole, where no secret meets another', () => {
    const env = { A_TOKEN: 'aaaabbbb', B_TOKEN: 'ccccaaaabb' };
    const redactor = createRedactor(env);
    const piece = fc.oneof(
      fc.constantFrom('aaaabbbb', 'x', 'cccc', 'aaaa', 'ccccaaaabb', '\n'),
      fc.string({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const text = pieces.map((one) => `${one} `);
        expect(streamed(redactor, text)).toBe(redactor.redactValues(text.join('')));
      }),
    );
  });
});
