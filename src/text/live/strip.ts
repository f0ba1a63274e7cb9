import type { StepStatus } from '../../model/status.ts';
import { rejectedMark, stepMark } from '../phrases/statuses.ts';
import { plain } from '../style/plain.ts';
import type { Style } from '../style/style.ts';
import { unitNoun, within } from '../style/words.ts';
import { isRejected, type LiveBoard, type Strip } from './board.ts';

/**
 * `frames  ▪▪▪▪⠋··✗  4 of 8 approved`: a mark for each unit of the largest stage. What does not fit into the lines
 * is left out at the ends, round what is running. Nothing where there is only one unit.
 */
export function stripLines(board: LiveBoard, linesMax: number, style: Style, spin?: number): string[] {
  const { strip } = board;
  if (strip === undefined) return [];
  const label = `${unitNoun(strip.unitKey)}s  `;
  const total = `${strip.finished.size} of ${strip.length} ${plain(strip.doneKey)}`;
  const lineLength = style.width - 1 - label.length - total.length - 2;
  if (lineLength < lineLengthMin) return [within(`${label}${total}`, style)];
  const marks = marksOf(board, strip, lineLength * linesMax, style, spin);
  const lines: string[] = [];
  for (let at = 0; at < marks.length; at += lineLength) {
    const before = at === 0 ? label : ' '.repeat(label.length);
    lines.push(`${before}${marks.slice(at, at + lineLength).join('')}`);
  }
  const last = lines.pop() ?? '';
  return [...lines, `${last}  ${total}`];
}

/** The first unit that is running, else the one where something happened last. */
export function activeRow({ running, unitIndex, units, lastActive }: LiveBoard): number {
  let active = units.length;
  for (const { unit } of running.values()) active = Math.min(active, unitIndex.get(unit) ?? active);
  return active === units.length ? lastActive : active;
}

/** Fewer marks than this are no picture. */
const lineLengthMin = 8;

/** Each takes one column. */
function marksOf(
  board: LiveBoard,
  { firstRow, length }: Strip,
  marksMax: number,
  style: Style,
  spin: number | undefined,
): string[] {
  // With a space between: where there is only ASCII, dots mark what is left out and what is pending.
  const more = [...style.symbols.more];
  const shown = length <= marksMax ? length : marksMax - 2 * (more.length + 1);
  const middle = activeRow(board) - firstRow - Math.floor(shown / 2);
  const from = Math.max(0, Math.min(middle, length - shown));
  return [
    ...(from > 0 ? [...more, ' '] : []),
    ...Array.from({ length: shown }, (_, at) => unitMark(board, firstRow + from + at, style, spin)),
    ...(from + shown < length ? [' ', ...more] : []),
  ];
}

function unitMark(board: LiveBoard, row: number, style: Style, spin: number | undefined): string {
  if (board.strip?.finished.has(row)) return style.paint.green(style.symbols.full);
  const status = unitStatus(board, row);
  if (status === 'pending' && isRejected(board, row)) return rejectedMark(style);
  return stepMark(status, style, spin);
}

/** The most important status of its steps. */
function unitStatus({ steps, phases }: LiveBoard, row: number): StepStatus {
  let best = telling.length;
  for (let column = 0; column < phases.length; column++) {
    const status = steps[row * phases.length + column];
    const at = status === undefined ? -1 : telling.indexOf(status);
    if (at !== -1 && at < best) best = at;
  }
  return telling[best] ?? 'pending';
}

const telling: readonly StepStatus[] = [
  'running',
  'failed',
  'blocked',
  'waiting_human',
  'interrupted',
  'paused',
];
