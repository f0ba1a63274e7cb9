import { expect, test } from 'vitest';
import { plainStyle } from './style.ts';
import {
  bytes,
  choice,
  count,
  didYouMean,
  duration,
  hashChange,
  identity,
  list,
  rate,
  roughTime,
  runningTime,
  score,
  time,
  within,
} from './words.ts';

test('numbers with their nouns', () => {
  expect([count(0, 'unit'), count(1, 'unit'), count(2, 'unit')]).toEqual(['0 units', '1 unit', '2 units']);
});

test('lists', () => {
  expect([list([]), list(['a']), list(['a', 'b']), list(['a', 'b', 'c'])]).toEqual([
    '',
    'a',
    'a and b',
    'a, b and c',
  ]);
  expect(list(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more');
  expect(choice(['a', 'b', 'c'])).toBe('a, b or c');
  expect(choice(['a', 'b', 'c'], 2)).toBe('a, b or another');
  expect([didYouMean([]), didYouMean(['write'])]).toEqual(['', '; did you mean write?']);
});

test('durations in the unit that fits', () => {
  const shown = [
    0, 40, 99.6, 100, 1234, 9949, 9950, 59_499, 60_000, 184_000, 3_599_600, 7_500_000, 86_400_000,
  ];
  expect(shown.map(duration)).toEqual([
    '0 ms',
    '40 ms',
    '100 ms',
    '0.1 s',
    '1.2 s',
    '9.9 s',
    '10 s',
    '59 s',
    '1 min',
    '3 min 4 s',
    '1 h',
    '2 h 5 min',
    '24 h',
  ]);
});

test('a running clock and a guess', () => {
  expect([0, 999, 12_900, 61_500, 600_000].map(runningTime)).toEqual([
    '0 s',
    '0 s',
    '12 s',
    '1 min 1 s',
    '10 min',
  ]);
  expect([0, 1200, 59_100, 61_000, 771_000, 5_400_000].map(roughTime)).toEqual([
    '1 s',
    '2 s',
    '60 s',
    '2 min',
    '13 min',
    '1 h 30 min',
  ]);
});

test('rates in the shortest time in which there is one', () => {
  const hour = 3_600_000;
  const shown = [
    [600, hour],
    [620, hour],
    [750, hour],
    [252, hour],
    [60, hour],
    [59, hour],
    [3, 2 * hour],
    [1, 24 * hour],
    [1, 96 * hour],
  ] as const;
  expect(shown.map(([number, ms]) => rate(number, ms, 'frames'))).toEqual([
    '10 frames/min',
    '10 frames/min',
    '13 frames/min',
    '4.2 frames/min',
    '1.0 frames/min',
    '59 frames/h',
    '1.5 frames/h',
    '1.0 frames/day',
    '0.3 frames/day',
  ]);
});

test('scores to compare', () => {
  expect([0, 1, 0.914, 0.625, 87.5].map(score)).toEqual(['0.00', '1.00', '0.91', '0.63', '87.50']);
});

test('a line leaves the last column free', () => {
  const style = { ...plainStyle, width: 8 };
  expect([within('1234567', style), within('12345678', style), within('1234', style, 4)]).toEqual([
    '1234567',
    '123456…',
    '12…',
  ]);
  expect(within('1234', { ...style, width: 0 })).toBe('');
});

test('sizes', () => {
  expect([0, 1, 1023, 1024, 1536, 1024 ** 2, 2 * 1024 ** 3].map(bytes)).toEqual([
    '0 bytes',
    '1 byte',
    '1023 bytes',
    '1 KB',
    '1.5 KB',
    '1 MB',
    '2 GB',
  ]);
});

test('times as recorded; anything else as it stands', () => {
  expect(time('2026-11-15T12:03:11.482Z')).toBe('2026-11-15 12:03:11 UTC');
  expect(time('yesterday\n')).toBe('yesterday\\n');
});

test('changes of hashes', () => {
  const a = 'sha256:1a2b3c4d5e6f';
  const b = 'sha256:9f8e7d6c5b4a';
  expect(hashChange(a, b, plainStyle)).toBe('sha256:1a2b3c4d → sha256:9f8e7d6c');
  expect(hashChange(undefined, b, plainStyle)).toBe('new, sha256:9f8e7d6c');
  expect(hashChange(a, undefined, plainStyle)).toBe('sha256:1a2b3c4d → gone');
  expect(hashChange(undefined, undefined, plainStyle)).toBe('gone');
});

test('an identity', () => {
  expect(identity({ character: 'blaze', move: 'idle' })).toBe('character=blaze, move=idle');
});
