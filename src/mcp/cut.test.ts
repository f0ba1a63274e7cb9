import { expect, it } from 'vitest';
import { cut, few, fitting } from './cut.ts';

it('cuts a part out of a list, and says how long the list is', () => {
  expect(cut([1, 2, 3, 4], 1, 2)).toEqual({ items: [2, 3], total: 4 });
  expect(cut([1, 2], 5, 2)).toEqual({ items: [], total: 2 });
});

it('keeps the beginning of a list that is seldom long', () => {
  expect(few([1, 2])).toEqual([1, 2]);
  expect(few(Array.from({ length: 99 }, (_, at) => at))).toHaveLength(50);
});

it('keeps what fits into a message', () => {
  // Each takes three characters with its quotes.
  expect(fitting(['a', 'b', 'c'], 9)).toEqual({ items: ['a', 'b', 'c'], total: 3 });
  expect(fitting(['a', 'b', 'c'], 8)).toEqual({ items: ['a', 'b'], total: 3 });
  expect(fitting(['a'], 2)).toEqual({ items: [], total: 1 });
});
