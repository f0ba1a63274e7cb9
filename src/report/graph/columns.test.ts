import fc from 'fast-check';
import { expect, it } from 'vitest';
import { placeColumns } from './columns.ts';
import { layersOf, linksOf } from './links.ts';
import { meshOf } from './mesh.ts';
import { orderLayers } from './order.ts';
import { sizesFor } from './sizes.ts';

const sizes = sizesFor([], 'cards');

function placed(needs: readonly (readonly number[])[], boxesMax = 100) {
  const links = linksOf(needs.map((list, at) => ({ unit: String(at), needs: list.map(String) })));
  const group = needs.map((_, at) => at);
  const mesh = orderLayers(meshOf(group, links, layersOf(links), 10_000));
  return { mesh, ...placeColumns(mesh, sizes, boxesMax) };
}

it('puts a task above the middle of those that need it', () => {
  const { middles } = placed([[], [0], [0], [0]]);
  expect(middles[0]).toBeCloseTo(middles[2] ?? Number.NaN);
});

it('leads a long line straight down', () => {
  const { middles, mesh } = placed([[], [0], [1], [2], [3, 0]]);
  const [way] = mesh.ways.filter(({ via }) => via.length > 0);
  const xs = (way?.via ?? []).map((item) => middles[item] ?? Number.NaN);
  expect(xs).toHaveLength(3);
  for (const x of xs) expect(x).toBeCloseTo(xs[0] ?? Number.NaN);
});

it('breaks a layer with too many boxes into rows, and leads lines beside its columns', () => {
  const { rowCounts, rows, middles, mesh } = placed([[], ...Array.from({ length: 7 }, () => [0]), [1, 0]], 3);
  expect(rowCounts).toEqual([1, 3, 1]);
  const columns = new Map<number, number[]>();
  for (const item of mesh.layers[1] ?? [])
    columns.set(middles[item] ?? 0, [...(columns.get(middles[item] ?? 0) ?? []), rows[item] ?? 0]);
  // Of seven boxes three, three and one; and the line that passes.
  expect([...columns.values()].map((column) => column.length).sort()).toEqual([1, 1, 3, 3]);
  for (const column of columns.values()) expect(column).toEqual(column.map((_, row) => row));
});

it('keeps the order and the gaps, within the width of the widest layer', () => {
  const graphs = fc.array(fc.array(fc.nat({ max: 40 }), { maxLength: 3 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(graphs, (lists) => {
      const { mesh, middles } = placed(
        lists.map((list, at) => (at === 0 ? [] : list.map((need) => need % at))),
      );
      const half = (item: number) =>
        (mesh.tasks[item] === undefined ? sizes.passageWidth : sizes.boxWidth) / 2;
      const widths = mesh.layers.map((layer) =>
        layer.reduce((sum, item) => sum + 2 * half(item) + sizes.gapX, -sizes.gapX),
      );
      const widest = Math.max(...widths);
      for (const layer of mesh.layers) {
        layer.forEach((item, at) => {
          const middle = middles[item] ?? Number.NaN;
          expect(Math.abs(middle) + half(item)).toBeLessThanOrEqual(widest / 2 + 0.001);
          const before = layer[at - 1];
          if (before === undefined) return;
          const gap = middle - half(item) - ((middles[before] ?? Number.NaN) + half(before));
          expect(gap).toBeGreaterThanOrEqual(sizes.gapX / 2 - 0.001);
        });
      }
    }),
  );
});
