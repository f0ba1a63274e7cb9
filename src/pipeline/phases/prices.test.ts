import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Models, Provider } from '../../model/definition.ts';
import { costOf, estimateCall, priceOf } from './prices.ts';

const limits = { concurrency: undefined, requestsPerMinute: undefined, tokensPerMinute: undefined };

function provider(name: string, kind: 'openai-compatible' | 'function' = 'openai-compatible'): Provider {
  const api = kind === 'function' ? { kind, module: 's.js', name: 'f' } : { kind };
  return { name, api, baseUrl: undefined, key: undefined, headers: {}, limits };
}

function models(prices: Models['prices'] = {}, ...providers: Provider[]): Models {
  return { providers, prices, limits: {} };
}

describe('the price of a model', () => {
  it('is that of the list, for a name with a date as well', () => {
    const listed = priceOf(models(), 'anthropic/claude-sonnet-4-5');
    expect(listed).toEqual({ input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 });
    expect(priceOf(models(), 'anthropic/claude-sonnet-4-5-20250929')).toEqual(listed);
    expect(priceOf(models(), 'openai/gpt-4o-2024-08-06')).toEqual(priceOf(models(), 'openai/gpt-4o'));
  });

  it('is not guessed', () => {
    for (const name of ['openai/gpt-99', 'openai/gpt-4o-mini-tts', 'router/claude-sonnet-4-5', 'gpt-4o', ''])
      expect(priceOf(models(), name)).toBeUndefined();
    for (const name of ['__proto__', 'constructor', 'toString'])
      expect(priceOf(models(), name)).toBeUndefined();
  });

  it('is what the manifest says, before the list and before what costs nothing', () => {
    const own = { input: 9, output: 9 };
    expect(priceOf(models({ 'openai/gpt-4o': own }), 'openai/gpt-4o')).toEqual(own);
    expect(priceOf(models({ 's/m': own }, provider('s', 'function')), 's/m')).toEqual(own);
  });

  it('of one date is no price of another', () => {
    const own = { input: 9, output: 9 };
    const given = models({ 'openai/gpt-4o-2024-08-06': own });
    expect(priceOf(given, 'openai/gpt-4o')).toMatchObject({ input: 2.5 });
    expect(priceOf(given, 'openai/gpt-4o-2024-11-20')).toMatchObject({ input: 2.5 });
  });

  it('that the manifest gives without a date is that of every date, as in the list', () => {
    const own = { input: 9, output: 9 };
    expect(priceOf(models({ 'openai/gpt-4o': own }), 'openai/gpt-4o-2024-08-06')).toEqual(own);
  });

  it('is nothing for a function of the workspace, whatever it is called', () => {
    const free = { input: 0, output: 0 };
    expect(priceOf(models({}, provider('s', 'function')), 's/m')).toEqual(free);
    expect(priceOf(models({}, provider('openai', 'function')), 'openai/gpt-4o')).toEqual(free);
    expect(priceOf(models({}, provider('s', 'function'), provider('s2')), 's2/m')).toBeUndefined();
  });
});

describe('what tokens cost', () => {
  const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

  it('is by the million', () => {
    expect(costOf(price, { inputTokens: 1_000_000, outputTokens: 1_000_000 })).toBe(18);
    expect(costOf(price, { inputTokens: 1 })).toBe(0.000003);
    expect(costOf(price, {})).toBe(0);
  });

  it('counts what was kept and what is to be kept at their own prices, as parts of the input', () => {
    const usage = { inputTokens: 1000, cacheReadTokens: 600, cacheWriteTokens: 300, outputTokens: 0 };
    expect(costOf(price, usage)).toBe((100 * 3 + 600 * 0.3 + 300 * 3.75) / 1e6);
    expect(costOf({ input: 3, output: 15 }, usage)).toBe(0.003);
  });

  it('is never less than nothing, however a provider counts', () => {
    expect(costOf(price, { inputTokens: 10, cacheReadTokens: 1000 })).toBe(0.0003);
  });

  it('is a whole number of billionths', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.nat(10_000_000), (inputTokens, outputTokens) => {
        const usd = costOf({ input: 0.1, output: 0.7 }, { inputTokens, outputTokens });
        expect(Number(usd.toFixed(9))).toBe(usd);
      }),
    );
  });
});

describe('what a call may cost', () => {
  it('is as far as its prompt and its limit tell', () => {
    const price = { input: 1, output: 2 };
    expect(estimateCall(price, 1000, 500)).toBe(0.002);
    expect(estimateCall(price, 0, undefined)).toBe(0.008192);
    expect(estimateCall(undefined, 1000, 500)).toBeUndefined();
    expect(estimateCall({ input: 0, output: 0 }, 1000, 500)).toBe(0);
  });
});
