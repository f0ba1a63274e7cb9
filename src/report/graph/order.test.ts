import { expect, it } from 'vitest';
import { layersOf, linksOf } from './links.ts';
import { meshOf } from './mesh.ts';
import { crossingsOf, orderLayers } from './order.ts';

function meshFor(needs: Readonly<Record<string, readonly string[]>>, passagesMax = 100) {
  const links = linksOf(Object.entries(needs).map(([unit, needs]) => ({ unit, needs })));
  const group = links.needs.map((_, at) => at);
  return meshOf(group, links, layersOf(links), passagesMax);
}

it('untangles what can be untangled', () => {
  const mesh = meshFor({ a: [], b: [], c: [], x: ['c'], y: ['b'], z: ['a'] });
  expect(crossingsOf(mesh, mesh.layers)).toBe(3);
  const ordered = orderLayers(mesh);
  expect(crossingsOf(ordered, ordered.layers)).toBe(0);
});

it('keeps the order of the list where nothing is gained', () => {
  const mesh = meshFor({ a: [], b: [], c: ['a'], d: ['b'] });
  expect(orderLayers(mesh).layers).toEqual(mesh.layers);
});

it('counts each pair of lines that cross once', () => {
  const mesh = meshFor({ a: [], b: [], x: ['a', 'b'], y: ['a', 'b'] });
  expect(crossingsOf(mesh, mesh.layers)).toBe(1);
});

it('leads a long line through every layer between, unless there would be too many places for it', () => {
  const needs = { a: [], b: ['a'], c: ['b'], d: ['c', 'a'] };
  const mesh = meshFor(needs);
  expect(mesh.ways.find(({ via }) => via.length > 0)).toMatchObject({ from: 0, to: 3, via: [4, 5] });
  expect(mesh.layers).toEqual([[0], [1, 4], [2, 5], [3]]);
  expect(meshFor(needs, 1).ways.every(({ via }) => via.length === 0)).toBe(true);
});
