import { type EdgeLabel, Graph, layout, type NodeLabel, type Point } from '@dagrejs/dagre';
import type { Column, ColumnLine } from './columns.ts';
import type { Sizes } from './sizes.ts';

/** Columns in their places, from 0. */
export interface PlacedColumns {
  readonly width: number;
  leftOf(column: Column): number;
  /** Where a line passes each of the layers between. */
  passages(line: ColumnLine): number[];
}

/** What takes a place in a layer: a column, or a line that passes. */
interface Item {
  /** Its middle. */
  x: number;
  readonly half: number;
  /** The room between two of its kind. */
  readonly gap: number;
}

/** Puts the columns of consecutive layers in order and in place, and leads the lines between them past the others. */
export function placeColumns(
  levels: readonly (readonly Column[])[],
  lines: readonly ColumnLine[],
  sizes: Sizes,
): PlacedColumns {
  const { kind, boxWidth, gapX, lineGap } = sizes;
  // Of very many boxes dagre would take too long, and no reader follows their lines.
  const graph = kind === 'chips' || lines.length === 0 ? undefined : bestArranged(levels, lines, sizes);
  const half = boxWidth / 2;
  const columns = new Map(
    levels.flat().map((column): [Column, Item] => {
      return [column, { x: graph?.node(column.name).x ?? 0, half, gap: gapX }];
    }),
  );
  const items = levels.map((level) => level.flatMap((column) => columns.get(column) ?? []));
  const sign = isTurned(items) ? -1 : 1;
  for (const item of columns.values()) item.x *= sign;
  const first = levels[0]?.[0]?.layer ?? 0;
  const passages = new Map<string, Item[]>();
  for (const line of lines) {
    if (graph === undefined || passages.has(nameOf(line))) continue;
    // Every second rank is a layer.
    const xs = pointsOf(graph, line.from.name, line.to.name).filter((_, at) => at % 2 === 1);
    const own = xs.map((x): Item => ({ x: sign * x, half: 0, gap: lineGap }));
    own.forEach((item, at) => {
      items[line.from.layer - first + 1 + at]?.push(item);
    });
    passages.set(nameOf(line), own);
  }
  settle(items);
  const sides = items.flat().map((item) => ({ x: item.x, half: Math.max(item.half, lineGap) }));
  const left = -highest(sides.map(({ x, half }) => half - x));
  const right = highest(sides.map(({ x, half }) => x + half));
  return {
    width: Math.ceil(right - left),
    leftOf: (column) => Math.round((columns.get(column)?.x ?? 0) - half - left),
    passages: (line) => (passages.get(nameOf(line)) ?? []).map(({ x }) => Math.round(x - left)),
  };
}

function nameOf({ from, to }: ColumnLine): string {
  return `${from.name} ${to.name}`;
}

type Arranged = Graph<object, NodeLabel, EdgeLabel>;

/** dagre is given the layers because they mean something: how many tasks have to be done one after the other. */
function arranged(
  levels: readonly (readonly Column[])[],
  lines: readonly ColumnLine[],
  { boxWidth, gapX, lineGap }: Sizes,
): Arranged {
  const graph: Arranged = new Graph();
  graph.setGraph({ ranker: 'none', nodesep: gapX, edgesep: lineGap });
  // Every second rank, because dagre keeps those between for the labels of lines.
  levels.forEach((level, at) => {
    for (const { name } of level) graph.setNode(name, { width: boxWidth, height: 0, rank: 2 * at });
  });
  // From the last, because dagre finds fewer crossings then.
  for (const { from, to } of lines.toReversed()) {
    const weight = (graph.edge(from.name, to.name)?.weight ?? 0) + 1;
    graph.setEdge(from.name, to.name, { weight });
  }
  layout(graph);
  return graph;
}

/** Of two arrangements the one with fewer crossings, because dagre gets no further than what is near its start. */
function bestArranged(
  levels: readonly (readonly Column[])[],
  lines: readonly ColumnLine[],
  sizes: Sizes,
): Arranged {
  const one = arranged(levels, lines, sizes);
  if (lines.length > linesTwice) return one;
  const turned = levels.map((level) => level.toReversed());
  const other = arranged(turned, lines, sizes);
  return crossings(other) < crossings(one) ? other : one;
}

/** With more lines than this one arrangement takes long enough. */
const linesTwice = 400;

function crossings(graph: Arranged): number {
  const steps: [from: number, to: number][][] = [];
  for (const { v, w } of graph.edges()) {
    const xs = [graph.node(v).x ?? 0, ...pointsOf(graph, v, w), graph.node(w).x ?? 0];
    xs.slice(1).forEach((to, at) => {
      const rank = (graph.node(v).rank ?? 0) + at;
      steps[rank] ??= [];
      steps[rank].push([xs[at] ?? 0, to]);
    });
  }
  let count = 0;
  for (const step of steps)
    step?.forEach(([from, to], at) => {
      for (const other of step.slice(at + 1)) if ((from - other[0]) * (to - other[1]) < 0) count++;
    });
  return count;
}

/** Where a line passes each of the ranks between its ends; dagre adds a point at each box. */
function pointsOf(graph: Arranged, from: string, to: string): number[] {
  const points: readonly Point[] = graph.edge(from, to)?.points ?? [];
  return points.slice(1, -1).map(({ x }) => x);
}

/** Of what is alike dagre often puts the first at the right. */
function isTurned(items: readonly (readonly Item[])[]): boolean {
  let turned = 0;
  for (const layer of items)
    layer.forEach(({ x }, at) => {
      turned += Math.sign((layer[at - 1]?.x ?? x) - x);
    });
  return turned > 0;
}

/**
 * Keeps the picture about as wide as its widest layer has to be, because among many lines dagre makes it many times as
 * wide. The items of a layer stay in order, and as near as possible to where they would be on the smaller scale.
 */
function settle(items: readonly Item[][]): void {
  const offsets = items.map((layer) => offsetsOf(layer.sort((a, b) => a.x - b.x)));
  const widest = highest(offsets.map((some) => some.at(-1) ?? 0));
  const xs = items.flat().map(({ x }) => x);
  const span = highest(xs) + highest(xs.map((x) => -x));
  const scale = span > widest * spread ? (widest * spread) / span : 1;
  items.forEach((layer, rank) => {
    const offsetOf = (at: number) => offsets[rank]?.[at] ?? 0;
    const wanted = layer.map(({ x }, at) => x * scale - offsetOf(at));
    // Halfway between the least move to the right alone and the least to the left alone.
    const right = rising(wanted);
    const left = rising(wanted.map((x) => -x).reverse()).reverse();
    layer.forEach((item, at) => {
      item.x = offsetOf(at) + ((right[at] ?? 0) - (left[at] ?? 0)) / 2;
    });
  });
}

const spread = 1.25;

/** Where items are from the first on if they stand as close as they may. */
function offsetsOf(layer: readonly Item[]): number[] {
  let offset = 0;
  return layer.map(({ half, gap }, at) => {
    const before = layer[at - 1];
    if (before !== undefined) offset += before.half + half + (before.gap + gap) / 2;
    return offset;
  });
}

/** For each value the highest of all up to it. */
function rising(values: readonly number[]): number[] {
  let most = Number.NEGATIVE_INFINITY;
  return values.map((value) => {
    most = Math.max(most, value);
    return most;
  });
}

function highest(values: readonly number[]): number {
  return rising(values).at(-1) ?? 0;
}
