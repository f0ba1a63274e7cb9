import type { Mesh } from './mesh.ts';
import type { Sizes } from './sizes.ts';

/** Where the items of a mesh stand from left to right, and in which row of their layer. */
export interface Columns {
  /** The middle of each item. */
  readonly middles: Float64Array;
  /** The row of each item within its layer, from 0. */
  readonly rows: Int32Array;
  /** How many rows each layer has. */
  readonly rowCounts: readonly number[];
}

/** Some boxes of one layer, one below the other; or one line that passes. */
interface Column {
  readonly items: readonly number[];
  readonly isPassage: boolean;
}

/**
 * Gives every item its place from left to right: as near as possible to the middle of those that it is joined to, in the
 * order of its layer and without touching its neighbours. A layer with more than `boxesMax` boxes is broken into rows.
 */
export function placeColumns(mesh: Mesh, sizes: Sizes, boxesMax: number): Columns {
  const rowCounts = mesh.layers.map((layer) => {
    const boxes = layer.filter((item) => mesh.tasks[item] !== undefined).length;
    return Math.max(1, Math.ceil(boxes / boxesMax));
  });
  const layers = mesh.layers.map((layer, depth) => columnsOf(mesh, layer, rowCounts[depth] ?? 1));
  const rows = new Int32Array(mesh.tasks.length);
  for (const { items } of layers.flat())
    items.forEach((item, row) => {
      rows[item] = row;
    });
  const middles = new Float64Array(mesh.tasks.length);
  const close = layers.map((columns) => closeMiddles(columns, sizes));
  const widest = close.reduce((most, { width }) => Math.max(most, width), 0);
  const settle = (depth: number, joined: readonly Joined[]) => {
    const columns = layers[depth] ?? [];
    const wanted = columns.map((column) => wantedMiddle(column, mesh, joined, middles));
    settleColumns(columns, wanted, close[depth] ?? nothingClose, widest, middles);
  };
  const down = layers.map((_, depth) => depth);
  for (let sweep = 0; sweep < sweepsMax; sweep++) {
    for (const depth of down) settle(depth, [mesh.above]);
    for (const depth of down.toReversed()) settle(depth, [mesh.below]);
  }
  for (const depth of down) settle(depth, [mesh.above, mesh.below]);
  return { middles, rows, rowCounts };
}

const sweepsMax = 8;

/** The items that each item is joined to on one side. */
type Joined = readonly (readonly number[])[];

/** Full columns first of all: lines that pass between the boxes of one go beside it. */
function columnsOf({ tasks }: Mesh, layer: readonly number[], rowCount: number): Column[] {
  const columns: Column[] = [];
  let passages: Column[] = [];
  let boxes: number[] = [];
  for (const item of layer) {
    if (tasks[item] === undefined) passages.push({ items: [item], isPassage: true });
    else {
      if (boxes.length === 0) columns.push({ items: boxes, isPassage: false });
      boxes.push(item);
    }
    if (boxes.length > 0 && boxes.length < rowCount) continue;
    columns.push(...passages);
    [passages, boxes] = [[], []];
  }
  return [...columns, ...passages];
}

function wantedMiddle(
  { items, isPassage }: Column,
  { tasks }: Mesh,
  joined: readonly Joined[],
  middles: Float64Array,
): number {
  let sum = 0;
  let weights = 0;
  for (const lists of joined)
    for (const item of items)
      for (const other of lists[item] ?? []) {
        // A long line is straight between the boxes rather than near to them.
        const weight = isPassage && tasks[other] === undefined ? 8 : 1;
        sum += weight * (middles[other] ?? 0);
        weights += weight;
      }
  return weights === 0 ? (middles[items[0] ?? 0] ?? 0) : sum / weights;
}

/** A row of columns that stand as close together as they may, and wish to be moved by `sum / weight` as one. */
interface Cluster {
  first: number;
  sum: number;
  weight: number;
}

/**
 * The places nearest to the wanted ones, by the sum of squares, that keep the order and the gaps. Measured from where each
 * column would stand if all stood closely, the places must only ever grow: neighbours that do not are put together. And no
 * layer reaches further to the sides than the widest must.
 */
function settleColumns(
  columns: readonly Column[],
  wanted: readonly number[],
  { middles: close, width }: CloseLayer,
  widest: number,
  middles: Float64Array,
): void {
  const clusters: Cluster[] = [];
  columns.forEach(({ isPassage }, at) => {
    // A line that bends is worse than a box that is not quite in the middle.
    const weight = isPassage ? 4 : 1;
    let cluster = { first: at, sum: weight * ((wanted[at] ?? 0) - (close[at] ?? 0)), weight };
    for (let last = clusters.at(-1); last !== undefined; last = clusters.at(-1)) {
      if (last.sum / last.weight <= cluster.sum / cluster.weight) break;
      clusters.pop();
      cluster = { first: last.first, sum: last.sum + cluster.sum, weight: last.weight + cluster.weight };
    }
    clusters.push(cluster);
  });
  const room = (widest - width) / 2;
  clusters.forEach(({ first, sum, weight }, nth) => {
    const moved = Math.max(-room, Math.min(room, sum / weight));
    const end = clusters[nth + 1]?.first ?? columns.length;
    for (let at = first; at < end; at++)
      for (const item of columns[at]?.items ?? []) middles[item] = (close[at] ?? 0) + moved;
  });
}

/** The middles of columns that stand as closely as they may, round 0. */
interface CloseLayer {
  readonly middles: readonly number[];
  readonly width: number;
}

const nothingClose: CloseLayer = { middles: [], width: 0 };

function closeMiddles(columns: readonly Column[], sizes: Sizes): CloseLayer {
  const middles: number[] = [];
  let width = 0;
  columns.forEach((column, at) => {
    const before = columns[at - 1];
    const isNarrow = column.isPassage || before?.isPassage;
    const columnWidth = column.isPassage ? sizes.passageWidth : sizes.boxWidth;
    const gap = before === undefined ? 0 : isNarrow ? sizes.gapX / 2 : sizes.gapX;
    middles.push(width + gap + columnWidth / 2);
    width += gap + columnWidth;
  });
  return { middles: middles.map((middle) => middle - width / 2), width };
}
