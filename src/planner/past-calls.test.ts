import { describe, expect, it } from 'vitest';
import { line, phase } from '../../test/fixtures/pipelines.ts';
import { World } from '../../test/fixtures/world.ts';
import type { PastCall } from '../ledger/spent.ts';
import { likelyCall, medianCall, pastCalls } from './budget.ts';

const calls = (...usd: number[]): PastCall[] => usd.map((one) => [one * 100, one * 10, one]);

describe('the median of past calls', () => {
  it('is not moved by one that was long', () => {
    expect(medianCall([])).toBeUndefined();
    expect(medianCall(calls(2))).toEqual([200, 20, 2]);
    expect(medianCall(calls(3, 1, 900))).toEqual([300, 30, 3]);
    expect(medianCall(calls(1, 2, 4, 900))).toEqual([300, 30, 3]);
  });

  it('is taken of input, output and money one by one', () => {
    expect(
      medianCall([
        [1, 9, 5],
        [2, 8, 6],
        [3, 7, 4],
      ]),
    ).toEqual([2, 8, 5]);
  });
});

describe('what is reserved for a call', () => {
  it('is the mean of five or more, and half as much again', async () => {
    const made = await World.of(line({ phases: phase('one') }));
    const [one] = made.loaded.pipeline.stages[0]?.phases ?? [];
    if (one === undefined) throw new Error('no phase');
    const spent = (past: readonly PastCall[], model = '') => {
      const account = { phase: 'one', attempts: 1, usd: 0, tokens: 0, ms: 0, doubt: 0 };
      const from = { usd: 0, tokens: 0, ms: 0 };
      return { spent: [{ ...account, from, past: { model, calls: past } }] };
    };
    expect(likelyCall(spent(calls(1, 1, 1, 1)), one)).toBeUndefined();
    expect(likelyCall(spent(calls(1, 1, 1, 1, 6)), one)).toEqual({ usd: 3, tokens: 330 });
    expect(pastCalls(spent(calls(1), 'p/other'), one)).toEqual([]);
    expect(pastCalls({ spent: [] }, one)).toEqual([]);
  });
});
