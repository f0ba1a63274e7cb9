import { expect, test } from 'vitest';
import { costWords, grouped, money } from './figures.ts';

test('money has cents, and of a small amount as many digits as say anything', () => {
  expect(
    [0, 0.42, 1.234, 10, 999.999, 1234.5, 1_234_567.891, 0.1, 0.0999, 0.04, 0.0149, 0.0004, 0.00042].map(
      money,
    ),
  ).toEqual([
    '$0',
    '$0.42',
    '$1.23',
    '$10.00',
    '$1,000.00',
    '$1,234.50',
    '$1,234,567.89',
    '$0.10',
    '$0.10',
    '$0.04',
    '$0.015',
    '$0.0004',
    '$0.00042',
  ]);
  expect([0.000_001, 0.000_012_6, 0.000_000_9].map(money)).toEqual([
    '$0.000001',
    '$0.000013',
    'under $0.000001',
  ]);
});

test('large numbers are grouped', () => {
  expect([0, 999, 1000, 12_345, 1_234_567.4].map(grouped)).toEqual([
    '0',
    '999',
    '1,000',
    '12,345',
    '1,234,567',
  ]);
});

test('what was spent: money, and tokens with what of them came from a cache', () => {
  expect(costWords(undefined)).toBe('');
  expect(costWords({ usd: 0, inputTokens: 0 })).toBe('');
  expect(costWords({ usd: 0.0004, inputTokens: 1200, outputTokens: 300 })).toBe(
    '$0.0004, 1,200 tokens in, 300 out',
  );
  expect(costWords({ outputTokens: 5 })).toBe('5 tokens out');
  expect(
    costWords({ usd: 2, inputTokens: 9000, outputTokens: 1, cacheReadTokens: 8000, cacheWriteTokens: 1000 }),
  ).toBe('$2.00, 9,000 tokens in (8,000 from cache, 1,000 into cache), 1 out');
  expect(costWords({ inputTokens: 9000, cacheWriteTokens: 1000 })).toBe('9,000 tokens in (1,000 into cache)');
});
