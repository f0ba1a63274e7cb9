import { expect, test } from 'vitest';
import type { Question, ReachedLimit, Spending } from '../../model/reason.ts';
import { spendingWords } from '../phrases/spending.ts';
import { plainStyle } from '../style/style.ts';
import { limitLines } from './stops.ts';

const asks: Question = {
  id: 'C1',
  question: 'budget',
  unit: '',
  phase: 'write',
  place: 'budget_time',
  name: 'budget of write',
  shown: {},
  channels: ['terminal'],
  redo: undefined,
  expiresMs: undefined,
};

test('every limit has its words, and the ways past come once', () => {
  const limits: { [L in ReachedLimit['limit']]: ReachedLimit } = {
    attempts: { phase: 'audit', limit: 'attempts', value: 60, max: 60, attempts: 60 },
    consecutive_failures: { phase: 'audit', limit: 'consecutive_failures', value: 6, max: 6, attempts: 9 },
    retry_rate: { phase: 'audit', limit: 'retry_rate', value: 0.667, max: 0.5, attempts: 9 },
    reject_rate: { phase: 'au\ndit', limit: 'reject_rate', value: 0.9, max: 0.8, attempts: 10 },
    budget_usd: { phase: '', limit: 'budget_usd', value: 10.02, max: 10, attempts: 10 },
    budget_tokens: {
      phase: 'write',
      limit: 'budget_tokens',
      value: 1_000_400,
      max: 1_000_000,
      attempts: 10,
    },
    budget_time: {
      phase: 'write',
      limit: 'budget_time',
      value: 7_500_000,
      max: 7_200_000,
      attempts: 10,
      asks,
    },
  };
  expect(limitLines(Object.values(limits), plainStyle).join('\n')).toMatchInlineSnapshot(`
    "✗ audit: 60 attempts in all, and the limit is 60
    ✗ audit: 6 bad attempts in a row, and the limit is 6
    ✗ audit: 66.7 % of 9 attempts are retries, and the limit is 50 %
    ✗ au\\ndit: 90 % of 10 attempts are bad, and the limit is 80 %
    ✗ the whole run: $10.02 spent, and the budget is $10.00
    ✗ write: 1,000,400 tokens used, and the budget is 1,000,000
        raise the limit in the manifest, or continue past it: pawl run --past-limits --reason 'the cause was looked at'
        raise the budget in the manifest: it is no part of identity, and the next run simply goes on
    ? write: 2 h 5 min of work, and the budget is 2 h
        to see what it is about: pawl show C1
        to grant as much again: pawl approve C1
        or raise the budget in the manifest: it is no part of identity, and the next run simply goes on
        to leave it at that, and say why: pawl reject C1"
  `);
});

test('one is one', () => {
  const limit: ReachedLimit = { phase: 'a', limit: 'consecutive_failures', value: 1, max: 1, attempts: 1 };
  expect(limitLines([limit], plainStyle)[0]).toBe('✗ a: 1 bad attempt in a row, and the limit is 1');
  expect(limitLines([{ ...limit, limit: 'attempts' }], plainStyle)[0]).toBe(
    '✗ a: 1 attempt in all, and the limit is 1',
  );
});

test('a rate just above its limit is not said to be the same', () => {
  const limit: ReachedLimit = { phase: 'a', limit: 'reject_rate', value: 81 / 161, max: 0.5, attempts: 161 };
  expect(limitLines([limit], plainStyle)[0]).toBe(
    '✗ a: 50.3 % of 161 attempts are bad, and the limit is 50 %',
  );
});

test('without limits there is nothing to say', () => {
  expect(limitLines([], plainStyle)).toEqual([]);
});

test('a budget that a person was not asked about yet says who asks', () => {
  const limit: ReachedLimit = { phase: '', limit: 'budget_usd', value: 1, max: 1, attempts: 3 };
  expect(
    limitLines([{ ...limit, asks: { ...asks, id: undefined } }], { ...plainStyle, path: 'book' }),
  ).toEqual([
    '? the whole run: $1.00 spent, and the budget is $1.00',
    '    it is asked by the next run: pawl run book',
  ]);
});

test('how far it is', () => {
  const spendings: { [L in Spending['limit']]: Spending } = {
    attempts: { phase: 'audit', limit: 'attempts', value: 50, max: 60 },
    consecutive_failures: { phase: 'audit', limit: 'consecutive_failures', value: 1, max: 6 },
    retry_rate: { phase: 'audit', limit: 'retry_rate', value: 0.25, max: 0.5 },
    reject_rate: { phase: 'audit', limit: 'reject_rate', value: 0.4, max: 0.5 },
    budget_usd: { phase: '', limit: 'budget_usd', value: 9.999, max: 10 },
    budget_tokens: { phase: 'write', limit: 'budget_tokens', value: 820_000, max: 1_000_000 },
    budget_time: { phase: 'write', limit: 'budget_time', value: 0, max: 0 },
  };
  expect(Object.values(spendings).map(spendingWords).join('\n')).toMatchInlineSnapshot(`
    "limit of audit: 50 of 60 attempts (83 %)
    limit of audit: 1 of 6 bad attempts in a row (16 %)
    limit of audit: 25 % retries of 50 % (50 %)
    limit of audit: 40 % bad attempts of 50 % (80 %)
    budget of the whole run: $10.00 of $10.00 spent (99 %)
    budget of write: 820,000 of 1,000,000 tokens used (82 %)
    budget of write: 0 ms of 0 ms used"
  `);
});
