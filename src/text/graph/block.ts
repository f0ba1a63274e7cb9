import type { TaskView } from '../../engine/observe/task-answers.ts';
import { type Column, type ColumnLine, columnsOf } from './columns.ts';
import type { Links } from './links.ts';
import { placeColumns } from './place.ts';
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
  const columnsMax = Math.max(sizes.rowMin, Math.floor(widthMax / (sizes.boxWidth + sizes.gapX)));
  const levels = columnsOf(group, links, layers, columnsMax);
  const places = layerPlaces(levels, sizes);
  const placeOf = ({ layer }: Column) => places[layer] ?? noPlace;
  const lines = linesOf(group, links, levels);
  const passages = lines.reduce((sum, { from, to }) => sum + to.layer - from.layer - 1, 0);
  const isLed = passages <= (sizes.kind === 'cards' ? group.length * passagesPerTask : 0);
  const boxes = new Map<number, Box>();
  const vias = new Map<Line, Passage[]>();
  let stripLeft = 0;
  for (let strip = 0; strip <= (places.at(-1)?.strip ?? 0); strip++) {
    const own = levels.filter((_, layer) => places[layer]?.strip === strip);
    const led = lines.filter(
      ({ from, to }) =>
        placeOf(from).strip === strip &&
        placeOf(to).strip === strip &&
        (isLed || to.layer === from.layer + 1),
    );
    const { width, leftOf, passages } = placeColumns(own, led, sizes);
    for (const column of own.flat()) {
      const { top: layerTop, bottom: layerBottom } = placeOf(column);
      const left = stripLeft + leftOf(column);
      column.tasks.forEach((at, row) => {
        const task = tasks[at];
        const top = layerTop + row * (sizes.boxHeight + sizes.rowGap);
        const layer = column.layer;
        if (task !== undefined)
          boxes.set(at, { task, left, top, layer, layerTop, layerBottom, strip, stripLeft });
      });
    }
    for (const line of led)
      vias.set(
        line,
        passages(line).map((x, nth) => {
          const { top, bottom } = places[line.from.layer + 1 + nth] ?? noPlace;
          return { x: stripLeft + x, top, bottom };
        }),
      );
    stripLeft += width + 2 * sizes.gapX;
  }
  const ways = lines.flatMap((line) => {
    const [from, to] = [boxes.get(line.need), boxes.get(line.task)];
    return from && to ? [{ from, to, via: vias.get(line) ?? [] }] : [];
  });
  const height = places.reduce((most, { bottom }) => Math.max(most, bottom), 0);
  return { width: stripLeft - 2 * sizes.gapX, height, boxes: [...boxes.values()], ways };
}

/** Beyond this the places of passing lines would push the boxes apart more than they help. */
const passagesPerTask = 12;

/** A need between tasks, as one between their columns. */
interface Line extends ColumnLine {
  readonly need: number;
  readonly task: number;
}

function linesOf(group: readonly number[], { needs }: Links, levels: readonly (readonly Column[])[]): Line[] {
  const columns = new Map(levels.flat().flatMap((column) => column.tasks.map((task) => [task, column])));
  return group.flatMap((task) =>
    (needs[task] ?? []).flatMap((need) => {
      const [from, to] = [columns.get(need), columns.get(task)];
      return from && to ? [{ from, to, need, task }] : [];
    }),
  );
}

/** Where a layer lies. */
interface LayerPlace {
  readonly strip: number;
  readonly top: number;
  readonly bottom: number;
}

const noPlace: LayerPlace = { strip: 0, top: 0, bottom: 0 };

/** Puts layers one below the other; of very many the later ones go on to the right, like the columns of a newspaper. */
function layerPlaces(levels: readonly (readonly Column[])[], sizes: Sizes): LayerPlace[] {
  const { boxWidth, boxHeight, gapX, gapY, rowGap } = sizes;
  const rows = levels.map((level) => level[0]?.tasks.length ?? 1);
  const heights = rows.map((count) => count * (boxHeight + rowGap) - rowGap);
  const whole = heights.reduce((sum, height) => sum + height + gapY, -gapY);
  const most = levels.reduce((most, level) => Math.max(most, level.length), 0);
  const strips = stripCount(most * (boxWidth + gapX) + gapX, whole, sizes);
  let [last, top] = [0, 0];
  return heights.map((height, layer) => {
    const strip = Math.floor((layer * strips) / heights.length);
    if (strip !== last) top = 0;
    last = strip;
    const place = { strip, top, bottom: top + height };
    top += height + gapY;
    return place;
  });
}

/** As many as make the block about as wide as a screen; one while it is not higher than a person likes to scroll. */
function stripCount(width: number, height: number, { boxHeight, gapY }: Sizes): number {
  if (height <= layersUnbroken * (boxHeight + gapY)) return 1;
  return Math.max(1, Math.floor(Math.sqrt((screenShape * height) / width)));
}

const layersUnbroken = 9;
export const screenShape = 1.6;
