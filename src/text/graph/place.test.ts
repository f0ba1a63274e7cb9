import { expect, it } from 'vitest';
import { type Column, columnsOf } from './columns.ts';
import { layersOf, linksOf } from './links.ts';
import { type PlacedColumns, placeColumns } from './place.ts';
import { sizesFor } from './sizes.ts';

const sizes = sizesFor([], 'cards');

/** Tasks that each need some by their number, placed: `order` is the tasks of each layer, from left to right. */
function placed(needs: readonly (readonly number[])[], columnsMax = 100) {
  const links = linksOf(needs.map((list, at) => ({ unit: String(at), needs: list.map(String) })));
  const group = needs.map((_, at) => at);
  const levels = columnsOf(group, links, layersOf(links), columnsMax);
  const columnOf = (task: number) => levels.flat().find(({ tasks }) => tasks.includes(task)) as Column;
  const lines = needs.flatMap((list, to) => list.map((from) => ({ from: columnOf(from), to: columnOf(to) })));
  const places: PlacedColumns = placeColumns(levels, lines, sizes);
  const order = levels.map((level) =>
    level.toSorted((a, b) => places.leftOf(a) - places.leftOf(b)).map(({ tasks }) => [...tasks]),
  );
  return {
    places,
    lines,
    order,
    middle: (task: number) => places.leftOf(columnOf(task)) + sizes.boxWidth / 2,
  };
}

it('untangles what can be untangled', () => {
  const { order } = placed([[], [], [], [0, 1, 2], [2], [1], [0]]);
  expect(order[1]?.flat().filter((task) => task > 3)).toEqual(order[0]?.flat().map((task) => 6 - task));
});

it('keeps the order of the list where nothing is gained by another', () => {
  expect(placed([[], [0], [0], [0], [0]]).order).toEqual([[[0]], [[1], [2], [3], [4]]]);
});

it('puts a task above the middle of those that need it', () => {
  const { middle } = placed([[], [0], [0], [0]]);
  expect(middle(0)).toBe(middle(2));
});

it('leads a long line straight down, past the boxes', () => {
  const { places, lines, middle } = placed([[], [0], [1], [2], [3, 0]]);
  const [long] = lines.filter(({ from, to }) => to.layer - from.layer > 1);
  const xs = places.passages(long as (typeof lines)[number]);
  expect(xs).toHaveLength(3);
  expect(new Set(xs).size).toBe(1);
  expect(Math.abs((xs[0] ?? 0) - middle(2))).toBeGreaterThan(sizes.boxWidth / 2);
});

it('breaks a layer with too many boxes into columns', () => {
  const { order } = placed([[], ...Array.from({ length: 7 }, () => [0]), [1, 0]], 3);
  expect(order).toEqual([[[0]], [[1, 2, 3], [4, 5, 6], [7]], [[8]]]);
});

it('stays about as wide as its widest layer, however many lines there are', () => {
  const wide = 6;
  const needs = Array.from({ length: 30 * wide }, (_, at) =>
    at < wide ? [] : Array.from({ length: wide }, (_, nth) => at - (at % wide) - wide + nth),
  );
  const { places } = placed(needs);
  expect(places.width).toBeLessThan(2 * wide * (sizes.boxWidth + sizes.gapX));
});
