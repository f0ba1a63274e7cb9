import { expect, test } from 'vitest';
import type { Face } from '../face.ts';
import { gcCommand, parseAge } from './gc.ts';

test.each([
  ['30d', 30 * 24 * 3_600_000],
  ['2w', 14 * 24 * 3_600_000],
  ['12h', 12 * 3_600_000],
  ['90m', 90 * 60_000],
  ['0.5d', 12 * 3_600_000],
  ['0d', 0],
])('%s is an age', (text, ms) => {
  expect(parseAge(text)).toBe(ms);
});

test.each(['30', 'd', '-1d', '30 d', '1y', '10s', '1e3d', '30d ', '9999999d', ''])('%j is none', (text) => {
  expect(parseAge(text)).toBeUndefined();
});

const call = (options: Record<string, unknown>) =>
  gcCommand.perform({ command: 'gc', arguments: [], options }, {} as Face);

test('without an age, or with what is none, nothing is looked at', async () => {
  expect(await call({ delete: true })).toMatchObject({ failure: { reason: 'missing-argument' } });
  expect(await call({ olderThan: 'soon' })).toMatchObject({
    failure: { reason: 'bad-value', found: 'soon' },
  });
  expect(await call({ olderThan: '1d', keep: 'all' })).toMatchObject({
    failure: { reason: 'bad-value', option: '--keep', expected: 'approved' },
  });
});
