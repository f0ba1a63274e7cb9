import { expect, test } from 'vitest';
import type { ReachedLimit } from '../model/reason.ts';
import { limitLines } from './limits.ts';
import { plainStyle } from './style.ts';

test('every limit has its words, and the ways past come once', () => {
  const limits: { [L in ReachedLimit['limit']]: ReachedLimit } = {
    attempts: { phase: 'audit', limit: 'attempts', value: 60, max: 60, attempts: 60 },
    consecutive_failures: { phase: 'audit', limit: 'consecutive_failures', value: 6, max: 6, attempts: 9 },
    retry_rate: { phase: 'audit', limit: 'retry_rate', value: 0.667, max: 0.5, attempts: 9 },
    reject_rate: { phase: 'au\ndit', limit: 'reject_rate', value: 0.9, max: 0.8, attempts: 10 },
  };
  expect(limitLines(Object.values(limits), plainStyle).join('\n')).toMatchInlineSnapshot(`
    "✗ audit: 60 attempts in all, and the limit is 60
    ✗ audit: 6 bad attempts in a row, and the limit is 6
    ✗ audit: 66.7 % of 9 attempts are retries, and the limit is 50 %
    ✗ au\\ndit: 90 % of 10 attempts are bad, and the limit is 80 %
        raise the limit in the manifest, or go on with --past-limits and a --reason"
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
