import type { TaskView } from '../../engine/tasks/answers.ts';
import { placeColumns } from './columns.ts';
import type { Links } from './links.ts';
import { type Mesh, meshOf } from './mesh.ts';
import { orderLayers } from './order.ts';
import type { Sizes } from './sizes.ts';

/** A task in its place. */
export interface Box {
  readonly task: TaskView;
  readonly left: number;
  readonly top: number;
  readonly layer: number;
  /** From where to where its layer reaches, which may have several rows. */
  readonly layerTop: number;
  readonly layerBottom: number;
  /** Which of the strips it is in, if layers go on to the right because there are too many; and where that begins. */
  readonly strip: number;
  readonly stripLeft: number;
}

/** One need: a line from the task that is needed to the one that needs it, through the gaps between boxes. */
export interface Way {
  readonly from: Box;
  readonly to: Box;
  readonly via: readonly Passage[];
}

export interface Passage {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
}

/** Tasks that hang together, with the lines between them; from 0, 0. */
export interface Block {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly ways: readonly Way[];
}

/** Lays out a group of tasks that hang together. `widthMax` is what a layer may take before it is broken into rows. */
export function blockOf(
  group: readonly number[],
  tasks: readonly TaskView[],
  links: Links,
  layers: readonly number[],
  sizes: Sizes,
  widthMax: number,
): Block {
  const passagesMax = sizes.kind === 'cards' ? group.length * passagesPerTask : 0;
  const mesh = orderLayers(meshOf(group, links, layers, passagesMax));
  const boxesMax = Math.max(sizes.rowMin, Math.floor(widthMax / (sizes.boxWidth + sizes.gapX)));
  const { middles, rows, rowCounts } = placeColumns(mesh, sizes, boxesMax);
  const strips = stripsOf(mesh, middles, rowCounts, sizes);
  const boxOf = (item: number): Box | undefined => {
    const task = tasks[mesh.tasks[item] ?? -1];
    const layer = mesh.layerOf[item] ?? 0;
    const place = strips.places[layer];
    if (task === undefined || place === undefined) return undefined;
    const row = rows[item] ?? 0;
    return {
      task,
      left: round((middles[item] ?? 0) + place.dx - sizes.boxWidth / 2),
      top: place.top + row * (sizes.boxHeight + sizes.rowGap),
      layer,
      layerTop: place.top,
      layerBottom: place.top + place.height,
      strip: place.strip,
      stripLeft: place.stripLeft,
    };
  };
  const boxes = new Map(mesh.tasks.flatMap((_, item) => pair(item, boxOf(item))));
  const passageOf = (item: number): Passage[] => {
    const place = strips.places[mesh.layerOf[item] ?? 0];
    if (place === undefined) return [];
    const x = round((middles[item] ?? 0) + place.dx);
    return [{ x, top: place.top, bottom: place.top + place.height }];
  };
  const ways = mesh.ways.flatMap(({ from, to, via }) => {
    const [start, end] = [boxes.get(from), boxes.get(to)];
    return start && end ? [{ from: start, to: end, via: via.flatMap(passageOf) }] : [];
  });
  return { width: strips.width, height: strips.height, boxes: [...boxes.values()], ways };
}

/** Beyond this the places of passing lines would push the boxes apart more than they help. */
const passagesPerTask = 12;

function pair(item: number, box: Box | undefined): [number, Box][] {
  return box === undefined ? [] : [[item, box]];
}

/** Where a layer lies. `dx` turns a middle round 0 into one of the block. */
interface LayerPlace {
  readonly top: number;
  readonly height: number;
  readonly strip: number;
  readonly stripLeft: number;
  readonly dx: number;
}

interface Strips {
  readonly places: readonly LayerPlace[];
  readonly width: number;
  readonly height: number;
}

/** Puts layers one below the other; of very many the later ones go on to the right, like the columns of a newspaper. */
function stripsOf(mesh: Mesh, middles: Float64Array, rowCounts: readonly number[], sizes: Sizes): Strips {
  const heights = rowCounts.map((rows) => rows * sizes.boxHeight + (rows - 1) * sizes.rowGap);
  const whole = heights.reduce((sum, height) => sum + height + sizes.gapY, -sizes.gapY);
  const extents = mesh.layers.map((layer) => extentOf(mesh, layer, middles, sizes));
  const widthOf = (some: readonly Extent[]) =>
    Math.max(...some.map(({ right }) => right)) - Math.min(...some.map(({ left }) => left));
  const gutter = sizes.gapX * 2;
  const strips = stripCount(widthOf(extents) + gutter, whole, sizes);
  const places: LayerPlace[] = [];
  let stripLeft = 0;
  let height = 0;
  for (let strip = 0; strip < strips; strip++) {
    const first = Math.ceil((strip * heights.length) / strips);
    const end = Math.ceil(((strip + 1) * heights.length) / strips);
    const some = extents.slice(first, end);
    const dx = stripLeft - Math.min(...some.map(({ left }) => left));
    let top = 0;
    for (const layerHeight of heights.slice(first, end)) {
      places.push({ top, height: layerHeight, strip, stripLeft, dx });
      top += layerHeight + sizes.gapY;
    }
    height = Math.max(height, top - sizes.gapY);
    stripLeft += widthOf(some) + gutter;
  }
  return { places, width: Math.ceil(stripLeft - gutter), height };
}

/** As many as make the block about as wide as a screen; one while it is not higher than a person likes to scroll. */
function stripCount(width: number, height: number, { boxHeight, gapY }: Sizes): number {
  if (height <= layersUnbroken * (boxHeight + gapY)) return 1;
  return Math.max(1, Math.floor(Math.sqrt((screenShape * height) / width)));
}

const layersUnbroken = 9;
export const screenShape = 1.6;

interface Extent {
  readonly left: number;
  readonly right: number;
}

function extentOf({ tasks }: Mesh, layer: readonly number[], middles: Float64Array, sizes: Sizes): Extent {
  let left = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  for (const item of layer) {
    const half = (tasks[item] === undefined ? sizes.passageWidth : sizes.boxWidth) / 2;
    left = Math.min(left, (middles[item] ?? 0) - half);
    right = Math.max(right, (middles[item] ?? 0) + half);
  }
  return { left, right };
}

/** Two boxes that must not touch keep their distance: rounding is the same for all. */
function round(pixels: number): number {
  return Math.round(pixels);
}
