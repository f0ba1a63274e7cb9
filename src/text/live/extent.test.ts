import { expect, test } from 'vitest';
import type { Extent } from '../../engine/observe/board.ts';
import { extentWords, rangeWords } from './extent.ts';

/** Frames by number, of which these are done. */
function frames(length: number, done: readonly number[]): Extent {
  return {
    unitKey: 'frame',
    doneKey: 'approved',
    units: Array.from({ length }, (_, index) => ({
      unit: `frame_${String(index).padStart(4, '0')}`,
      index,
      finished: done.includes(index),
    })),
  };
}

/** The same without numbers: units that were listed by name. */
function named(extent: Extent): Extent {
  return { ...extent, units: extent.units.map((unit) => ({ ...unit, index: undefined })) };
}

test('what is done lies before what is left: the first of the rest says it all', () => {
  expect(extentWords(frames(8, [0, 1, 2, 3]))).toBe('from frame 4 (frames 0-3 already approved)');
  expect(extentWords(frames(8, [0]))).toBe('from frame 1 (frame 0 already approved)');
  expect(extentWords(frames(8, [0, 1, 2, 3, 4, 5, 6]))).toBe('from frame 7 (frames 0-6 already approved)');
});

test('with gaps each one that is left is named', () => {
  expect(extentWords(frames(8, [0, 1, 3, 5]))).toBe(
    'from frame 2 (frames 0-1, 3, 5 already approved; to go: frames 2, 4, 6-7)',
  );
  expect(extentWords(frames(3, [1, 2]))).toBe('from frame 0 (frames 1-2 already approved; to go: frame 0)');
});

test('nothing done, everything done and no units at all are no place to go on from', () => {
  expect(extentWords(frames(8, []))).toBeUndefined();
  expect(extentWords(frames(2, [0, 1]))).toBeUndefined();
  expect(extentWords(frames(0, []))).toBeUndefined();
});

test('units without numbers are named, and what names hold is only shown', () => {
  const { units, ...words } = named(frames(3, [0]));
  expect(extentWords({ ...words, units })).toBe('from frame_0001 (frame_0000 already approved)');
  const odd = units.map((unit, at) => (at === 1 ? { ...unit, unit: 'a\nb' } : unit));
  expect(extentWords({ unitKey: 'sce\nne', doneKey: 'do\nne', units: odd })).toBe(
    'from a\\nb (frame_0000 already do\\nne)',
  );
});

test('one unit without a number makes all of them go by name', () => {
  const { units } = frames(3, []);
  const mixed = units.map((unit, at) => (at === 2 ? { ...unit, unit: 'last', index: undefined } : unit));
  expect(rangeWords('frame', mixed)).toBe('frame_0000, frame_0001, last');
});

test('of many parts the first are told, and how many more there are', () => {
  const odd = frames(40, []).units.filter(({ index = 0 }) => index % 2 === 1);
  expect(rangeWords('frame', odd)).toBe('frames 1, 3, 5, 7, 9, 11, 13, 15 and 12 more');
  expect(rangeWords('frame', named(frames(10, [])).units)).toBe(
    'frame_0000, frame_0001, frame_0002 and 7 more',
  );
  expect(rangeWords('frame', frames(100_000, []).units)).toBe('frames 0-99999');
});
