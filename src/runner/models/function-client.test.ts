import { describe, expect, it } from 'vitest';
import { latch } from '../../../test/models/server.ts';
import { tokensIn } from '../../base/tokens.ts';
import type { ModelRequest } from '../executors/model-client.ts';
import { functionClient, type ModelFunction } from './function-client.ts';

function request(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'm',
    system: undefined,
    turns: [{ role: 'user', text: 'Hi' }],
    parameters: {},
    schema: undefined,
    files: [],
    idempotencyKey: 'k',
    signal: new AbortController().signal,
    ...more,
  };
}

async function ask(answer: unknown, more: Partial<ModelRequest> = {}) {
  const pieces: string[] = [];
  const does = typeof answer === 'function' ? answer : () => answer;
  const answered = await functionClient(does as ModelFunction).ask(request(more), (piece) =>
    pieces.push(piece),
  );
  return { answered, pieces };
}

async function* stream(...pieces: string[]): AsyncGenerator<string> {
  for (const piece of pieces) yield piece;
}

describe('a function that answers in the place of a model', () => {
  it('is told everything, and the text of the newest turn by itself', async () => {
    let told: unknown;
    const { signal } = new AbortController();
    const turns = [
      { role: 'user' as const, text: 'Hi' },
      { role: 'assistant' as const, text: 'No' },
      { role: 'user' as const, text: 'Again' },
    ];
    const files = [{ name: 'f', mediaType: 'text/plain', bytes: () => new Uint8Array([1]) }];
    const asked = {
      system: 'Be brief',
      turns,
      parameters: { temperature: 0 },
      schema: { type: 'object' },
      files,
      signal,
    };
    await ask((given: unknown) => {
      told = given;
      return 'x';
    }, asked);
    expect(told).toEqual({ model: 'm', prompt: 'Again', ...asked });
  });

  it('may say a text, at once or later', async () => {
    const usage = { inputTokens: tokensIn('Be brief\nHi'), outputTokens: tokensIn('Hello') };
    for (const answer of ['Hello', Promise.resolve('Hello')]) {
      const { answered, pieces } = await ask(() => answer, { system: 'Be brief' });
      expect(pieces).toEqual(['Hello']);
      expect(answered).toEqual({
        ok: true,
        value: { text: 'Hello', finish: 'stop', usage, answered: 'm', request: undefined },
      });
    }
  });

  it('may say why it ended and what it has used', async () => {
    const usage = { inputTokens: 7, outputTokens: 1, cacheReadTokens: 3 };
    expect((await ask({ text: 'Hel', finish: 'length', usage })).answered).toMatchObject({
      ok: true,
      value: { text: 'Hel', finish: 'length', usage },
    });
    expect((await ask({ text: '' })).answered).toMatchObject({ value: { text: '', finish: 'stop' } });
  });

  it('may speak in pieces', async () => {
    for (const answer of [() => stream('Hel', '', 'lo'), async () => stream('Hel', '', 'lo')]) {
      const { answered, pieces } = await ask(answer);
      expect(pieces).toEqual(['Hel', '', 'lo']);
      expect(answered).toMatchObject({ ok: true, value: { text: 'Hello', finish: 'stop' } });
    }
  });

  it('that breaks is the provider’s failure, whatever it throws', async () => {
    const broken = async function* () {
      yield 'Hel';
      throw new TypeError('no');
    };
    const rejecting = async () => Promise.reject(new TypeError('no'));
    const throwing = () => {
      throw new TypeError('no');
    };
    for (const answer of [broken, rejecting, throwing])
      expect((await ask(answer)).answered).toEqual({
        ok: false,
        failure: { kind: 'failed', failure: { reason: 'provider-failed', message: 'TypeError: no' } },
      });
    const text = () => {
      throw 'no';
    };
    expect((await ask(text)).answered).toMatchObject({ failure: { failure: { message: 'no' } } });
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['a flag', true],
    ['a list', ['Hello']],
    ['an object without a text', {}],
    ['a text that is none', { text: 7 }],
  ])('that returns %s has failed', async (_, answer) => {
    expect((await ask(() => answer)).answered).toMatchObject({
      ok: false,
      failure: { kind: 'failed', failure: { reason: 'provider-failed' } },
    });
  });

  it.each<[string, object]>([
    ['a reason that is no word', { text: 'x', finish: 7 }],
    ['a count that is no number', { text: 'x', usage: { inputTokens: 'many' } }],
    ['a count that nobody can write down', { text: 'x', usage: { outputTokens: Number.NaN } }],
    ['a count below nothing', { text: 'x', usage: { inputTokens: -5 } }],
  ])('that says %s has failed, or is not believed: it would go into the journal', async (_, answer) => {
    const { answered } = await ask(answer);
    if (!answered.ok)
      return expect(answered.failure).toMatchObject({ failure: { reason: 'provider-failed' } });
    expect(typeof answered.value.finish).toBe('string');
    for (const count of Object.values(answered.value.usage)) expect(count).toBeGreaterThanOrEqual(0);
  });

  it('passes on what its listener throws: that is no fault of the provider’s', async () => {
    const client = functionClient(() => stream('a', 'b'));
    const full = () => {
      throw new Error('disk full');
    };
    await expect(client.ask(request(), full)).rejects.toThrow('disk full');
    await expect(functionClient(() => 'a').ask(request(), full)).rejects.toThrow('disk full');
  });

  it('tidies up after a stream that nobody listens to any more', async () => {
    let isOver = false;
    const pieces = async function* () {
      try {
        yield 'a';
        yield 'b';
      } finally {
        isOver = true;
      }
    };
    const full = () => {
      throw new Error('disk full');
    };
    await expect(functionClient(pieces).ask(request(), full)).rejects.toThrow('disk full');
    expect(isOver).toBe(true);
  });
});

describe('a function that is asked to end', () => {
  it('is not waited for, when it does not listen', async () => {
    const ending = new AbortController();
    const begun = latch();
    const asking = ask(
      () => {
        begun.open();
        return new Promise(() => undefined);
      },
      { signal: ending.signal },
    );
    await begun.opened;
    ending.abort();
    const first = await Promise.race([asking, hundredTurns()]);
    expect(first).toMatchObject({ answered: { ok: false } });
  });

  it('is not listened to any more, when it goes on and on', async () => {
    const ending = new AbortController();
    let said = 0;
    const endless = async function* () {
      for (; said < 10_000; said++) yield 'x';
    };
    const client = functionClient(() => endless());
    await client.ask(request({ signal: ending.signal }), () => {
      if (said === 10) ending.abort();
    });
    expect(said).toBeLessThan(100);
  });
});

/** Whatever has to happen by itself has happened by then. */
async function hundredTurns(): Promise<'nothing'> {
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  return 'nothing';
}
