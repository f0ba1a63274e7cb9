import { failureTitle } from './attempt-failures.ts';
import { estimateMs, type LiveBoard, type RunningCell } from './board.ts';
import { clip, plain } from './plain.ts';
import { cellMark } from './status-words.ts';
import type { Style } from './style.ts';
import { cell, count, roughTime, runningTime } from './words.ts';

/** What a frame is drawn for. */
export interface View {
  /** Lines of the terminal. */
  readonly height: number;
  readonly nowMs: number;
  /** Grows by one with each frame; turns the spinners. */
  readonly tick: number;
  /** The run is over: what it came to, without spinners. */
  readonly final: boolean;
}

/**
 * The live view as lines, none wider than the terminal and all together shorter than it: what scrolls cannot be
 * drawn over. Units that do not fit are told by number; the window follows what is running.
 */
export function frameLines(board: LiveBoard, view: View, style: Style): string[] {
  const head = headLines(board, style);
  const foot = [...failureLines(board, style), ...(view.final ? [] : runningLines(board, view, style))];
  foot.push(totalsLine(board, view, style));
  if (board.message !== '') foot.push(style.paint.yellow(within(board.message, style)));
  const room = view.height - 1 - head.length - foot.length;
  const lines = room < unitLinesMin ? foot : [...head, ...unitLines(board, room, view, style), ...foot];
  return lines.slice(-Math.max(1, view.height - 1));
}

const unitLinesMin = 3;
const runningShownMax = 3;
const failuresShownMax = 2;

function headLines(board: LiveBoard, style: Style): string[] {
  const { paint } = style;
  const name = plain(board.pipeline);
  const rest = within(` ${plain(board.run)} ${board.kind}`, style, name.length);
  const phases = within(`phases: ${board.phases.map(plain).join(' ')}`, style);
  return [`${paint.bold(within(name, style))}${rest}`, paint.dim(phases)];
}

function unitLines(board: LiveBoard, room: number, view: View, style: Style): string[] {
  const { units } = board;
  const { more } = style.symbols;
  if (units.length <= room) return units.map((_, row) => unitLine(board, row, view, style));
  // A line at each end says how many units lie outside the window; where there is none, one more unit fits.
  const from = windowStart(board, room - 2);
  const isTop = from === 0;
  const isBottom = from + room - 2 >= units.length;
  const first = isBottom ? units.length - (room - 1) : from;
  const last = isBottom ? units.length : from + room - (isTop ? 1 : 2);
  const outside = (number: number, where: string) =>
    style.paint.dim(within(`  ${more} ${count(number, 'unit')} ${where}`, style));
  return [
    ...(isTop ? [] : [outside(first, 'before')]),
    ...Array.from({ length: last - first }, (_, at) => unitLine(board, first + at, view, style)),
    ...(isBottom ? [] : [outside(units.length - last, 'after')]),
  ];
}

/** The first unit that is running stands in the upper third: what comes next is worth more than what was. */
function windowStart(board: LiveBoard, shown: number): number {
  let active = board.units.length;
  for (const { unit } of board.running.values())
    active = Math.min(active, board.unitIndex.get(unit) ?? active);
  if (active === board.units.length) active = board.lastActive;
  const start = active - Math.floor(shown / 3);
  return Math.max(0, Math.min(start, board.units.length - shown));
}

function unitLine(board: LiveBoard, row: number, view: View, style: Style): string {
  const { phases, cells } = board;
  const { more } = style.symbols;
  const columns = Math.min(phases.length, Math.max(1, style.width - nameWidthMin - 5));
  const nameWidth = Math.max(1, Math.min(board.nameLengthMax, style.width - columns - 5));
  const name = clip(plain(board.units[row] ?? ''), nameWidth, more).padEnd(nameWidth);
  let marks = '';
  for (let column = 0; column < columns; column++) {
    const status = cells[row * phases.length + column];
    marks += status === undefined ? ' ' : cellMark(status, style, view.tick);
  }
  return `  ${name}  ${marks}`;
}

const nameWidthMin = 8;

function failureLines({ failures }: LiveBoard, style: Style): string[] {
  return failures.slice(-failuresShownMax).map(({ unit, phase, failure }) => {
    const text = within(`${cell(unit, phase)} ${failureTitle(failure)}`, style, 4);
    return `  ${style.paint.red(style.symbols.bad)} ${text}`;
  });
}

function runningLines(board: LiveBoard, view: View, style: Style): string[] {
  const running = [...board.running.values()];
  const lines = running.slice(0, runningShownMax).map((one) => {
    return `  ${cellMark('running', style, view.tick)} ${within(runningWords(one, view), style, 4)}`;
  });
  const rest = running.length - lines.length;
  if (rest > 0) lines.push(within(`  ${style.symbols.more} and ${rest} more running`, style));
  return lines;
}

function runningWords({ unit, phase, attempt, iteration, sinceMs }: RunningCell, { nowMs }: View): string {
  const details = [attempt > 1 ? `attempt ${attempt}` : '', iteration > 1 ? `round ${iteration}` : ''];
  const known = details.filter((detail) => detail !== '').join(', ');
  return `${cell(unit, phase)} ${runningTime(nowMs - sinceMs)}${known === '' ? '' : ` (${known})`}`;
}

function totalsLine(board: LiveBoard, { nowMs, final }: View, style: Style): string {
  const { counts } = board;
  const all = board.cellCount - counts.skipped;
  const words = [`${counts.succeeded} of ${all} done`];
  if (counts.running > 0 && !final) words.push(`${counts.running} running`);
  if (counts.failed > 0) words.push(`${counts.failed} failed`);
  if (counts.waiting_human > 0) words.push(`${counts.waiting_human} waiting`);
  const times = [runningTime(nowMs - board.begunMs)];
  const leftMs = final ? undefined : estimateMs(board, nowMs);
  if (leftMs !== undefined) times.push(`about ${roughTime(leftMs)} left`);
  return within(`  ${words.join(', ')}; ${times.join(', ')}`, style);
}

/** One column stays free: some terminals break the line at the last one. */
function within(text: string, { width, symbols }: Style, taken = 0): string {
  return clip(text, Math.max(0, width - 1 - taken), symbols.more);
}
