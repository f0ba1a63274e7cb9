import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chain, fan, forest, graph, nameOf, orchard, stage, task } from '../../../test/fixtures/graph.ts';
import type { GraphAnswer, TaskView } from '../../engine/observe/task-answers.ts';
import type { Box } from './block.ts';
import { type Frame, type GraphStage, type Layout, layoutGraph } from './layout.ts';
import { routesOf } from './route.ts';
import { boxKind, type Sizes, sizesFor } from './sizes.ts';

const frame: Frame = {
  margin: 30,
  pad: 24,
  widthMin: 300,
  headHeight: () => 100,
  titleHeight: () => 50,
  bandGap: 30,
};

function layoutOf({ stages, tasks }: GraphAnswer, kind: Sizes['kind'] = boxKind(tasks.total)): Layout {
  const sizesOf = ({ tasks }: GraphStage) => sizesFor(tasks, kind);
  return layoutGraph(stages, sizesOf, frame);
}

const boxesOf = ({ bands }: Layout) =>
  bands.flatMap(({ boxes, sizes }) => boxes.map((box) => ({ box, sizes })));

/** Pairs of boxes that touch. */
function touching(layout: Layout): string[] {
  const boxes = boxesOf(layout).sort((a, b) => a.box.left - b.box.left);
  const found: string[] = [];
  boxes.forEach((a, at) => {
    for (let next = at + 1; next < boxes.length; next++) {
      const b = boxes[next];
      if (b === undefined || b.box.left > a.box.left + a.sizes.boxWidth) break;
      const isApart = b.box.top > a.box.top + a.sizes.boxHeight || a.box.top > b.box.top + b.sizes.boxHeight;
      if (!isApart) found.push(`${a.box.task.unit} ${b.box.task.unit}`);
    }
  });
  return found;
}

function outside(layout: Layout): string[] {
  return layout.bands.flatMap(({ boxes, sizes, left, top, width, height }) =>
    boxes
      .filter(
        (box) =>
          box.left < left ||
          box.top < top ||
          box.left + sizes.boxWidth > left + width ||
          box.top + sizes.boxHeight > top + height,
      )
      .map(({ task }) => task.unit),
  );
}

/** Lines that do not lead down, or do not begin and end at their boxes, or leave the picture. */
function wrongLines(layout: Layout): string[] {
  return layout.bands.flatMap(({ ways, sizes }) =>
    routesOf(ways, sizes).flatMap(({ way: { from, to }, path }) => {
      const points = pointsOf(path);
      const isDown = from.layer < to.layer && (from.strip < to.strip || from.top + sizes.boxHeight <= to.top);
      const isWhole = isOn(from, points.at(0), sizes, 'leaves') && isOn(to, points.at(-1), sizes, 'enters');
      const isInside = points.every(
        ({ x, y }) => x >= 0 && y >= 0 && x <= layout.width && y <= layout.height,
      );
      return isDown && isWhole && isInside ? [] : [`${from.task.unit} ${to.task.unit} ${path}`];
    }),
  );
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Lines that run behind a box. Only within a strip: the way to the next one may be long. */
function hiddenLines(layout: Layout): string[] {
  const boxes = boxesOf(layout);
  const isHidden = ({ x, y }: Point) =>
    boxes.some(
      ({ box, sizes }) =>
        x > box.left && x < box.left + sizes.boxWidth && y > box.top && y < box.top + sizes.boxHeight,
    );
  return layout.bands.flatMap(({ ways, sizes }) =>
    routesOf(ways, sizes)
      .filter(({ way, path }) => way.from.strip === way.to.strip && alongOf(path).some(isHidden))
      .map(({ way }) => `${way.from.task.unit} ${way.to.task.unit}`),
  );
}

/** Points along a path, close enough together that none jumps over a box. */
function alongOf(path: string): Point[] {
  const along: Point[] = [];
  for (const [order] of path.matchAll(/[MLCQHV][-\d. ]*/g)) {
    const start = along.at(-1) ?? { x: 0, y: 0 };
    // The points of this piece, with the start: a line has two, a curve three or four.
    const bends = pointsOf(`M${start.x} ${start.y}${order}`);
    for (let step = 1; step <= 16; step++) {
      let some = order.startsWith('M') ? bends.slice(-1) : bends;
      while (some.length > 1)
        some = some.slice(1).map((point, at) => between(some[at] ?? point, point, step / 16));
      along.push(...some);
    }
  }
  return along;
}

function between(a: Point, b: Point, share: number): Point {
  return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share };
}

/** All points of a path, also those that only bend it. */
function pointsOf(path: string): Point[] {
  const points: Point[] = [];
  for (const [, order = '', rest = ''] of path.matchAll(/([MLCQHV])([-\d. ]*)/g)) {
    const numbers = rest.trim().split(/ +/).map(Number);
    const { x, y } = points.at(-1) ?? { x: 0, y: 0 };
    if (order === 'H') points.push({ x: numbers[0] ?? Number.NaN, y });
    else if (order === 'V') points.push({ x, y: numbers[0] ?? Number.NaN });
    else
      for (let at = 0; at < numbers.length; at += 2)
        points.push({ x: numbers[at] ?? Number.NaN, y: numbers[at + 1] ?? Number.NaN });
  }
  return points;
}

function isOn({ left, top }: Box, point: Point | undefined, sizes: Sizes, how: 'leaves' | 'enters'): boolean {
  if (point === undefined) return false;
  const { x, y } = point;
  const [side, edge] = how === 'leaves' ? [left + sizes.boxWidth, top + sizes.boxHeight] : [left, top];
  const isOnEdge = y === edge && x > left && x < left + sizes.boxWidth;
  return isOnEdge || (x === side && y > top && y < top + sizes.boxHeight);
}

function expectSound(layout: Layout, answer: GraphAnswer): void {
  expect(touching(layout)).toEqual([]);
  expect(outside(layout)).toEqual([]);
  expect(wrongLines(layout)).toEqual([]);
  expect(new Set(boxesOf(layout).map(({ box }) => box.task))).toEqual(
    new Set(answer.stages.flatMap(({ tasks }) => tasks)),
  );
}

const needsOf = (tasks: readonly TaskView[]) =>
  tasks.reduce((sum, { needs }) => sum + new Set(needs).size, 0);

/** Any tasks that need only such as are listed before them, shuffled. */
const anyTasks = fc
  .array(fc.array(fc.nat({ max: 70 }), { maxLength: 4 }), { maxLength: 70 })
  .map((lists) =>
    lists.map((list, at) =>
      task(nameOf(at), 'pending', {
        needs: at === 0 ? [] : list.map((need) => nameOf(need % at)),
        ...(at % 3 === 0 ? { title: `The task that is number ${at} of all of them in the list` } : {}),
      }),
    ),
  )
  .chain((tasks) => fc.shuffledSubarray(tasks, { minLength: tasks.length }));

describe('the layout of tasks', () => {
  it('has no boxes that touch or stick out, and only lines that lead down', () => {
    const kinds = fc.constantFrom('cards' as const, 'chips' as const);
    fc.assert(
      fc.property(fc.array(anyTasks, { maxLength: 3 }), kinds, (lists, kind) => {
        const answer = graph(lists.map((tasks, at) => stage(`stage ${at}`, tasks)));
        const layout = layoutOf(answer, kind);
        expectSound(layout, answer);
        const ways = layout.bands.flatMap((band) => band.ways);
        expect(ways).toHaveLength(needsOf(lists.flat()));
      }),
    );
  });

  it('is the same for the same tasks', () => {
    expect(layoutOf(forest(120, 8))).toEqual(layoutOf(forest(120, 8)));
  });

  it.each([
    ['one task', graph([stage('tasks', [task('a', 'ready')])])],
    ['a chain of 3,000', chain(3_000)],
    ['a chain of 60', chain(60)],
    ['one that 3,000 need, and one that needs them all', fan(3_000)],
    ['the same of 40', fan(40)],
    ['300 in 12 layers', forest(300, 12)],
    ['10,000 in 60 layers', forest(10_000, 60)],
    ['200 that need nothing', forest(200, 1)],
  ])('holds for %s', (_, answer) => {
    expectSound(layoutOf(answer), answer);
  });

  it.each([
    ['a dozen', orchard()],
    ['a wide one, in rows', fan(60)],
    ['300 in 12 layers', forest(300, 12)],
    ['120 in 30 layers', forest(120, 30)],
  ])('leads no line behind a box of %s', (_, answer) => {
    expect(hiddenLines(layoutOf(answer))).toEqual([]);
  });

  it('puts stages below each other, with room for those that have no tasks', () => {
    const layout = layoutOf(
      graph([stage('a', [task('x', 'done')]), stage('b', []), stage('c', [], { isOpen: true })]),
    );
    const [a, b, c] = layout.bands;
    expect(b?.top).toBe((a?.top ?? 0) + (a?.height ?? 0) + frame.bandGap);
    expect(b?.height).toBe(50);
    expect(layout.height).toBe((c?.top ?? 0) + 50 + frame.margin);
    expect(layoutOf(graph([])).bands).toEqual([]);
  });

  it('keeps tasks that stand alone in the order of their list, row by row', () => {
    const { bands } = layoutOf(forest(40, 1));
    const read = bands.flatMap(({ boxes }) => [...boxes].sort((a, b) => a.top - b.top || a.left - b.left));
    expect(read.map(({ task }) => task.unit)).toEqual(Array.from({ length: 40 }, (_, at) => nameOf(at)));
  });

  it.each([
    ['a chain', chain(200)],
    ['a fan', fan(200)],
    ['a list', forest(300, 1)],
    ['a net', forest(300, 12)],
  ])('of %s is about as wide as it is high', (_, answer) => {
    const { width, height } = layoutOf(answer);
    expect(width / height).toBeGreaterThan(0.5);
    expect(width / height).toBeLessThan(3);
  });
});
