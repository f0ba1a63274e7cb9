import type { TaskView } from '../../engine/observe/task-answers.ts';
import { fittingLines, shown, textWidth } from './measure.ts';
import { noteOf } from './task-words.ts';

/** How large things are drawn, in pixels. */
export interface Sizes {
  /** `cards` say all about a task; of very many there is only room for `chips`, with a mark and an id. */
  readonly kind: 'cards' | 'chips';
  readonly boxWidth: number;
  readonly boxHeight: number;
  /** Between boxes side by side, and between layers. */
  readonly gapX: number;
  readonly gapY: number;
  /** Between the rows of a layer that is too wide for one. */
  readonly rowGap: number;
  /** Between lines that pass a layer side by side. */
  readonly lineGap: number;
  /** A layer is not broken into rows below so many boxes. */
  readonly rowMin: number;
}

export const cardPad = 17;
export const cardWidth = 240;
const titlePx = 13;
export const titleLinePx = 17;
const titleLinesMax = 2;
export const chipPx = 11;

/** Above this number, a picture with a card for each is too large to read. */
const cardsMax = 400;

export function boxKind(tasks: number): Sizes['kind'] {
  return tasks > cardsMax ? 'chips' : 'cards';
}

/** All boxes of a stage are of one size: what its tasks have to say decides. */
export function sizesFor(tasks: readonly TaskView[], kind: Sizes['kind']): Sizes {
  return kind === 'cards' ? cardSizes(tasks) : chipSizes(tasks);
}

function cardSizes(tasks: readonly TaskView[]): Sizes {
  const titleLines = tasks.reduce((most, { title }) => Math.max(most, titleLinesOf(title).length), 0);
  const hasNotes = tasks.some((task) => noteOf(task) !== undefined);
  return {
    kind: 'cards',
    boxWidth: cardWidth,
    boxHeight: 38 + titleLines * titleLinePx + (titleLines > 0 ? 4 : 0) + (hasNotes ? 20 : 0),
    gapX: 28,
    gapY: 54,
    rowGap: 16,
    lineGap: 12,
    rowMin: 8,
  };
}

function chipSizes(tasks: readonly TaskView[]): Sizes {
  const widest = tasks.reduce((most, { unit }) => Math.max(most, textWidth(shown(unit), chipPx, 'mono')), 0);
  return {
    kind: 'chips',
    boxWidth: Math.ceil(Math.min(120, Math.max(40, widest + 30))),
    boxHeight: 22,
    gapX: 14,
    gapY: 22,
    rowGap: 8,
    lineGap: 4,
    rowMin: 16,
  };
}

/** A title as it is broken on a card. */
export function titleLinesOf(title: string | undefined): string[] {
  if (title === undefined) return [];
  return fittingLines(shown(title), cardWidth - 2 * cardPad, titlePx, titleLinesMax);
}
