import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cost } from '../model/event.ts';
import { addCost, grantMore, noteSpending, type Spent, takeSpent, wholeRun } from './spent.ts';

const accounts = () => ({ spent: [] as Spent[] });
const find = (ledger: { spent: Spent[] }, phase: string) => ledger.spent.find((one) => one.phase === phase);

const spend = (ledger: { spent: Spent[] }, phase: string, ms: number, cost: Cost | undefined) =>
  noteSpending(ledger, { phase, ms, ...(cost && { cost }) });

describe('what was spent', () => {
  it('is by phase and for the whole run', () => {
    const ledger = accounts();
    spend(ledger, 'write', 10, { usd: 1, inputTokens: 5, outputTokens: 2, cacheReadTokens: 4 });
    spend(ledger, 'lint', 5, undefined);
    spend(ledger, 'write', 1, { usd: 2 });
    expect(find(ledger, 'write')).toMatchObject({ attempts: 2, usd: 3, tokens: 7, ms: 11 });
    expect(find(ledger, 'lint')).toMatchObject({ attempts: 1, usd: 0, tokens: 0, ms: 5 });
    expect(find(ledger, wholeRun)).toMatchObject({ attempts: 3, usd: 3, tokens: 7, ms: 16 });
  });

  it('has one account for each phase', () => {
    const ledger = accounts();
    expect(takeSpent(ledger, 'write')).toBe(takeSpent(ledger, 'write'));
    expect(ledger.spent).toHaveLength(1);
  });

  it('adds up to what was paid, however many small sums there were', () => {
    const ledger = accounts();
    for (let call = 0; call < 10; call++) spend(ledger, 'write', 1, { usd: 0.1 });
    expect(find(ledger, wholeRun)?.usd).toBe(1);
  });
});

describe('past calls', () => {
  const call = (model: string, more: object = {}) => ({ model, ms: 1, finish: 'stop', ...more });
  const past = (ledger: { spent: Spent[] }) => find(ledger, 'write')?.past;

  it('are those that were answered and paid, by the model that is asked now', () => {
    const ledger = accounts();
    const cost = { usd: 0.5, inputTokens: 5, outputTokens: 2 };
    const end = (more: object) => noteSpending(ledger, { phase: 'write', ms: 1, ...more });
    end({ call: call('p/old'), cost });
    end({ call: call('p/new'), cost });
    end({ call: call('p/new', { reused: 'r a/write#1' }), cost: {} });
    end({ call: { model: 'p/new', ms: 1 }, cost: {} });
    end({ call: call('p/new') });
    expect(past(ledger)).toEqual({ model: 'p/new', calls: [[5, 2, 0.5]] });
  });

  it('are the newest, however many there were', () => {
    const ledger = accounts();
    for (let usd = 1; usd <= 60; usd++) noteSpending(ledger, { phase: 'write', ms: 1, cost: { usd } });
    expect(past(ledger)?.calls).toHaveLength(50);
    expect(past(ledger)?.calls.at(-1)).toEqual([0, 0, 60]);
  });
});

describe('a grant', () => {
  it('counts anew from here, and forgets nothing', () => {
    const ledger = accounts();
    spend(ledger, 'write', 10, { usd: 1, inputTokens: 5 });
    grantMore(ledger, ({ phase }) => (phase === 'write' ? ['usd', 'ms'] : []));
    expect(find(ledger, 'write')).toMatchObject({
      usd: 1,
      tokens: 5,
      ms: 10,
      from: { usd: 1, tokens: 0, ms: 10 },
    });
    expect(find(ledger, wholeRun)?.from).toEqual({ usd: 0, tokens: 0, ms: 0 });
    spend(ledger, 'write', 1, { usd: 1 });
    expect(find(ledger, 'write')).toMatchObject({ usd: 2, from: { usd: 1 } });
  });
});

describe('costs', () => {
  it('are added by what each of them says', () => {
    expect(addCost(undefined, undefined)).toBeUndefined();
    expect(addCost({ usd: 1 }, undefined)).toEqual({ usd: 1 });
    expect(addCost(undefined, { usd: 1 })).toEqual({ usd: 1 });
    expect(addCost({ usd: 1, inputTokens: 2 }, { inputTokens: 3, cacheReadTokens: 4 })).toEqual({
      usd: 1,
      inputTokens: 5,
      cacheReadTokens: 4,
    });
    expect(addCost({}, {})).toEqual({});
  });

  it('come to the same in whatever order', () => {
    const number = fc.option(fc.nat(1000), { nil: undefined });
    const cost = fc
      .record({
        usd: number,
        inputTokens: number,
        outputTokens: number,
        cacheReadTokens: number,
        cacheWriteTokens: number,
      })
      .map((given) => JSON.parse(JSON.stringify(given)) as object);
    fc.assert(
      fc.property(fc.array(cost), (costs) => {
        const sum = (all: readonly object[]) => all.reduce<object | undefined>(addCost, undefined);
        expect(sum([...costs].reverse())).toEqual(sum(costs));
      }),
    );
  });
});
