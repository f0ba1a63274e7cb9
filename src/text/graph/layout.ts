import type { GraphAnswer } from '../../engine/observe/task-answers.ts';
import { type Block, type Box, blockOf, screenShape, type Way } from './block.ts';
import { groupsOf, layersOf, linksOf } from './links.ts';
import type { Sizes } from './sizes.ts';

export type GraphStage = GraphAnswer['stages'][number];

/** The whole picture in pixels, from the upper left corner. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly bands: readonly Band[];
}

/** A stage. Everything in it comes after everything above it. */
export interface Band {
  readonly stage: GraphStage;
  readonly sizes: Sizes;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly ways: readonly Way[];
}

export interface Frame {
  readonly margin: number;
  /** Inside of a band, round its boxes. */
  readonly pad: number;
  /** The least width inside of a band. */
  readonly widthMin: number;
  /** For the words at the top of the picture and of each band, once it is known how wide it becomes. */
  headHeight(width: number): number;
  titleHeight(width: number): number;
  readonly bandGap: number;
}

/** Lays out the stages of a run, one below the other. The same answer gives the same picture. */
export function layoutGraph(
  stages: readonly GraphStage[],
  sizesOf: (stage: GraphStage) => Sizes,
  frame: Frame,
): Layout {
  const packed = stages.map((stage) => packStage(stage.tasks, sizesOf(stage)));
  const inner = packed.reduce((most, { width }) => Math.max(most, width), frame.widthMin);
  const bandWidth = inner + 2 * frame.pad;
  const width = bandWidth + 2 * frame.margin;
  const titleHeight = frame.titleHeight(width);
  let top = frame.margin + frame.headHeight(width);
  const bands = stages.map((stage, at): Band => {
    const { blocks, width: blocksWidth, height: blocksHeight } = packed[at] ?? nothingPacked;
    const sizes = sizesOf(stage);
    const height = titleHeight + (blocksHeight === 0 ? 0 : blocksHeight + frame.pad);
    const left = frame.margin + frame.pad + Math.floor((inner - blocksWidth) / 2);
    const moved = blocks.map(({ block, dx, dy }) => moveBlock(block, left + dx, top + titleHeight + dy));
    const boxes = moved.flatMap((block) => block.boxes);
    const ways = moved.flatMap((block) => block.ways);
    const band = { stage, sizes, left: frame.margin, top, width: bandWidth, height, boxes, ways };
    top += height + frame.bandGap;
    return band;
  });
  const bottom = bands.length === 0 ? top : top - frame.bandGap;
  return { width, height: bottom + frame.margin, bands };
}

interface PlacedBlock {
  readonly block: Block;
  readonly dx: number;
  readonly dy: number;
}

interface PackedStage {
  readonly blocks: readonly PlacedBlock[];
  readonly width: number;
  readonly height: number;
}

const nothingPacked: PackedStage = { blocks: [], width: 0, height: 0 };

/** Each group of tasks that hang together in a block of its own; the blocks on shelves, the highest first. */
function packStage(tasks: GraphStage['tasks'], sizes: Sizes): PackedStage {
  if (tasks.length === 0) return nothingPacked;
  const links = linksOf(tasks);
  const layers = layersOf(links);
  const area = tasks.length * (sizes.boxWidth + sizes.gapX) * (sizes.boxHeight + sizes.gapY);
  const widthMax = Math.sqrt(area * screenShape);
  const blocks = groupsOf(links).map((group) => blockOf(group, tasks, links, layers, sizes, widthMax));
  // Sorting is stable: tasks that stand alone stay in the order of their list.
  blocks.sort((a, b) => b.height - a.height);
  const filled = blocks.reduce(
    (sum, { width, height }) => sum + (width + sizes.gapX) * (height + sizes.rowGap),
    0,
  );
  const shelfWidth = Math.max(
    sizes.rowMin * 0.6 * (sizes.boxWidth + sizes.gapX),
    Math.sqrt(filled * screenShape),
    ...blocks.slice(0, 1).map(({ width }) => width),
  );
  return packShelves(blocks, shelfWidth, sizes);
}

function packShelves(blocks: readonly Block[], shelfWidth: number, sizes: Sizes): PackedStage {
  const { gapX, gapY, rowGap, boxHeight } = sizes;
  const placed: PlacedBlock[] = [];
  let [dx, dy, shelfHeight, width] = [0, 0, 0, 0];
  for (const block of blocks) {
    if (dx > 0 && dx + block.width > shelfWidth) {
      // What stands below a graph must not look like its last layer.
      dy += shelfHeight + (shelfHeight > boxHeight ? gapY * 1.5 : rowGap);
      [dx, shelfHeight] = [0, 0];
    }
    placed.push({ block, dx: Math.round(dx), dy });
    shelfHeight = Math.max(shelfHeight, block.height);
    width = Math.max(width, dx + block.width);
    dx += block.width + gapX;
  }
  return { blocks: placed, width: Math.ceil(width), height: dy + shelfHeight };
}

function moveBlock(block: Block, dx: number, dy: number): { boxes: Box[]; ways: Way[] } {
  const moved = new Map(
    block.boxes.map((box) => [
      box,
      {
        ...box,
        left: box.left + dx,
        stripLeft: box.stripLeft + dx,
        top: box.top + dy,
        layerTop: box.layerTop + dy,
        layerBottom: box.layerBottom + dy,
      },
    ]),
  );
  const ways = block.ways.map(({ from, to, via }) => ({
    from: moved.get(from) ?? from,
    to: moved.get(to) ?? to,
    via: via.map(({ x, top, bottom }) => ({ x: x + dx, top: top + dy, bottom: bottom + dy })),
  }));
  return { boxes: [...moved.values()], ways };
}
