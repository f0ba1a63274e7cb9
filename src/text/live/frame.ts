import { failureTitle } from '../catalogue/attempt-failures.ts';
import { rejectedMark, stepMark, stepStatusOrder, stepStatusWords } from '../phrases/statuses.ts';
import { money } from '../style/figures.ts';
import { clip, plain } from '../style/plain.ts';
import type { Style } from '../style/style.ts';
import { count, rate, roughTime, runningTime, score, stepLabel, within } from '../style/words.ts';
import { estimateMs, isRejected, type Judged, type LiveBoard, paceOf, type RunningStep } from './board.ts';
import { phaseLines } from './phases.ts';
import { narrowedWords, waitingWords } from './progress.ts';
import { activeRow, stripLines } from './strip.ts';

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
 * drawn over. Units that do not fit are counted; the window follows what is running.
 */
export function frameLines(board: LiveBoard, view: View, style: Style): string[] {
  const strip = stripLines(board, view.height < highFrom ? 1 : stripLinesMax, style, view.tick);
  const head = [
    ...headLines(board, style),
    ...strip,
    phasesLine(board, style),
    ...legendLines(board, view, style),
  ];
  const foot = [
    ...againLines(board, style),
    ...failureLines(board, style),
    ...(view.final ? [] : runningLines(board, view, style)),
  ];
  foot.push(totalsLine(board, view, style));
  if (board.narrowedTo !== undefined && !view.final)
    foot.push(style.paint.yellow(within(narrowedWords(board.narrowedTo), style)));
  if (board.waitingUntil !== undefined && !view.final)
    foot.push(style.paint.yellow(within(waitingWords(board.waitingUntil), style)));
  if (board.message !== '') foot.push(style.paint.yellow(within(board.message, style)));
  const room = view.height - 1 - head.length - foot.length;
  // Where there is room for little, the strip says most of it.
  const lines =
    room < unitLinesMin ? [...strip, ...foot] : [...head, ...bodyLines(board, room, view, style), ...foot];
  return lines.slice(-Math.max(1, view.height - 1));
}

const unitLinesMin = 3;
/** Lines of a terminal in which the strip may take more than one. */
const highFrom = 20;
const stripLinesMax = 3;
const runningShownMax = 3;
const failuresShownMax = 2;
const reasonsShownMax = 3;

function headLines(board: LiveBoard, style: Style): string[] {
  const { paint } = style;
  const name = plain(board.pipeline);
  const kind = board.kind === 'watched' ? 'running' : board.kind;
  const what = board.from === undefined ? kind : 'resuming';
  const title = ` ${plain(board.run)} ${what}`;
  const from = board.from === undefined ? '' : ` ${board.from}`;
  const fits = from === '' || name.length + title.length + from.length < style.width;
  const rest = within(fits ? `${title}${from}` : title, style, name.length);
  return [`${paint.bold(within(name, style))}${rest}`, ...(fits ? [] : [within(` ${from}`, style)])];
}

function phasesLine({ phases }: LiveBoard, style: Style): string {
  return style.paint.dim(within(`phases: ${phases.map(plain).join(' ')}`, style));
}

/** What the marks below mean; only those that are there. */
function legendLines({ counts }: LiveBoard, { tick }: View, style: Style): string[] {
  const items: string[] = [];
  let room = style.width - 1;
  for (const status of stepStatusOrder) {
    const words = stepStatusWords(status);
    if (counts[status] === 0 || words.length + 4 > room) continue;
    room -= words.length + 4;
    items.push(`${stepMark(status, style, tick)} ${style.paint.dim(words)}`);
  }
  return items.length === 0 ? [] : [items.join('  ')];
}

/** Who watches a run with more units than fit sees how far each phase is. */
function bodyLines(board: LiveBoard, room: number, view: View, style: Style): string[] {
  const isLong = board.kind === 'watched' && board.units.length > room;
  return isLong ? phaseLines(board, room, style) : unitLines(board, room, view, style);
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
  const start = activeRow(board) - Math.floor(shown / 3);
  return Math.max(0, Math.min(start, board.units.length - shown));
}

function unitLine(board: LiveBoard, row: number, view: View, style: Style): string {
  const { phases, steps } = board;
  const { more } = style.symbols;
  const columns = Math.min(phases.length, Math.max(1, style.width - nameWidthMin - 5));
  const room = style.width - columns - 5;
  const scored = board.judged.size > 0 && room - scoreWidth >= nameWidthMin ? scoreWidth : 0;
  const nameWidth = Math.max(1, Math.min(board.nameLengthMax, room - scored));
  const name = clip(plain(board.units[row] ?? ''), nameWidth, more).padEnd(nameWidth);
  const judged = board.judged.get(row);
  const rejected = isRejected(board, row) ? judged?.column : undefined;
  let marks = '';
  for (let column = 0; column < columns; column++) {
    const status = steps[row * phases.length + column];
    if (status === 'succeeded' && column === rejected) marks += rejectedMark(style);
    else marks += status === undefined ? ' ' : stepMark(status, style, view.tick);
  }
  const end = scored === 0 || judged === undefined ? '' : scoreWords(judged, style);
  return `  ${name}  ${marks}${end}`;
}

const nameWidthMin = 8;
/** Of `  0.91  12 tries`. */
const scoreWidth = 16;

function scoreWords({ score: value, passed, attempts }: Judged, { paint, symbols }: Style): string {
  if (value === undefined) return '';
  const words = clip(score(value), scoreWidth - 2, symbols.more);
  const tries = attempts > 1 ? `  ${count(attempts, 'try', 'tries')}` : '';
  const fitting = words.length + tries.length + 2 > scoreWidth ? '' : tries;
  return `  ${passed ? words : paint.yellow(words)}${paint.dim(fitting)}`;
}

/** Why there is something to do for what had run before. */
function againLines({ again }: LiveBoard, style: Style): string[] {
  const reasons = [...again.values()];
  const lines = reasons
    .slice(0, reasonsShownMax)
    .map(({ phase, why, steps }) =>
      within(`  ${plain(phase)} runs again in ${count(steps, 'unit')}: ${why}`, style),
    );
  const rest = reasons.slice(reasonsShownMax).reduce((sum, { steps }) => sum + steps, 0);
  if (rest > 0)
    lines.push(within(`  ${style.symbols.more} and ${count(rest, 'more cell')} for other reasons`, style));
  return lines;
}

function failureLines({ failures }: LiveBoard, style: Style): string[] {
  return failures.slice(-failuresShownMax).map(({ unit, phase, failure }) => {
    const text = within(`${stepLabel(unit, phase)} ${failureTitle(failure)}`, style, 4);
    return `  ${style.paint.red(style.symbols.bad)} ${text}`;
  });
}

function runningLines(board: LiveBoard, view: View, style: Style): string[] {
  const running = [...board.running.values()];
  const lines = running.slice(0, runningShownMax).map((one) => {
    return `  ${stepMark('running', style, view.tick)} ${within(runningWords(one, view), style, 4)}`;
  });
  const rest = running.length - lines.length;
  if (rest > 0) lines.push(within(`  ${style.symbols.more} and ${rest} more running`, style));
  return lines;
}

function runningWords(
  { unit, phase, attempt, round: iteration, sinceMs }: RunningStep,
  { nowMs }: View,
): string {
  const details = [attempt > 1 ? `attempt ${attempt}` : '', iteration > 1 ? `round ${iteration}` : ''];
  const known = details.filter((detail) => detail !== '').join(', ');
  return `${stepLabel(unit, phase)} ${runningTime(nowMs - sinceMs)}${known === '' ? '' : ` (${known})`}`;
}

function totalsLine(board: LiveBoard, { nowMs, final }: View, style: Style): string {
  const { counts } = board;
  const all = board.stepCount - counts.skipped;
  const words = [`${counts.succeeded} of ${count(all, 'cell')} done`];
  if (counts.running > 0 && !final) words.push(`${counts.running} running`);
  if (counts.failed > 0) words.push(`${counts.failed} failed`);
  if (counts.waiting_human > 0) words.push(`${counts.waiting_human} waiting`);
  if (counts.paused > 0) words.push(`${counts.paused} paused`);
  const times = [runningTime(nowMs - board.begunMs)];
  const leftMs = final ? undefined : estimateMs(board, nowMs);
  if (leftMs !== undefined) times.push(`about ${roughTime(leftMs)} left`);
  const spent = board.spentUsd > 0 ? `; ${money(board.spentUsd)}` : '';
  const line = `  ${words.join(', ')}; ${times.join(', ')}${spent}`;
  const pace = final ? undefined : paceOf(board, nowMs);
  const end = pace === undefined ? '' : `, ${rate(pace.number, pace.elapsedMs, plain(pace.noun))}`;
  // The rate is worth least: it is there whole or not at all.
  return line.length + end.length < style.width ? `${line}${end}` : within(line, style);
}
