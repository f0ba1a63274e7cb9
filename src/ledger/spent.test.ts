import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addCost, grantMore, noteSpending, type Spent, takeSpent, wholeRun } from './spent.ts';

const accounts = () => ({ spent: [] as Spent[] });
const find = (ledger: { spent: Spent[] }, phase: string) => ledger.spent.find((one) => one.phase === phase);

describe('what was spent', () => {
  it('is by phase and for the whole run', () => {
    const ledger = accounts();
    noteSpending(ledger, 'write', 10, { usd: 1, inputTokens: 5, outputTokens: 2, cacheReadTokens: 4 });
    noteSpending(ledger, 'lint', 5, undefined);
    noteSpending(ledger, 'write', 1, { usd: 2 });
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
    for (let call = 0; call < 10; call++) noteSpending(ledger, 'write', 1, { usd: 0.1 });
    expect(find(ledger, wholeRun)?.usd).toBe(1);
  });
});

describe('a grant', () => {
  it('counts anew from here, and forgets nothing', () => {
    const ledger = accounts();
    noteSpending(ledger, 'write', 10, { usd: 1, inputTokens: 5 });
    grantMore(ledger, ({ phase }) => (phase === 'write' ? ['usd', 'ms'] : []));
    expect(find(ledger, 'write')).toMatchObject({
      usd: 1,
      tokens: 5,
      ms: 10,
      from: { usd: 1, tokens: 0, ms: 10 },
    });
    expect(find(ledger, wholeRun)?.from).toEqual({ usd: 0, tokens: 0, ms: 0 });
    noteSpending(ledger, 'write', 1, { usd: 1 });
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
