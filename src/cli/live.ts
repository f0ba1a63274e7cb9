import type { Board } from '../engine/observe/board.ts';
import type { RunObserver } from '../engine/run/run-request.ts';
import { type LiveBoard, settleBoard, startBoard, updateBoard } from '../text/live/board.ts';
import { frameLines } from '../text/live/frame.ts';
import { besideStepsLine, moreBesideLine } from '../text/live/progress.ts';
import { screenText } from '../text/style/screen.ts';
import type { Style } from '../text/style/style.ts';
import { visibleLength } from '../text/style/table.ts';

/** Shows the progress of a run, and messages in between. */
export interface ProgressView extends RunObserver {
  tell(message: string): void;
  /** The run is over. */
  close(): void;
}

export type Step = Parameters<RunObserver['progress']>[0];

/** The part of a terminal that is drawn on. */
export interface Screen {
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  write(text: string): unknown;
}

const framesPerSecond = 12;
/** A restore can print a line for each of thousands of files; no one reads more than these. */
const besideMax = 20;
const escapeCode = String.fromCharCode(27);
/** Terminals that know these show a frame at once; the others ignore them. */
const beginFrame = `${escapeCode}[?2026h`;
const endFrame = `${escapeCode}[?2026l`;
const clearLine = `${escapeCode}[K`;
const clearBelow = `${escapeCode}[J`;

/**
 * Draws a run over and over in place. Each frame is one write that moves up and rewrites the lines, so nothing is
 * ever blank in between. No terminal mode is changed, because a killed process could not change it back.
 */
export class LiveView implements ProgressView {
  readonly #screen: Screen;
  readonly #style: Style;
  readonly #nowMs: () => number;
  #board: LiveBoard | undefined;
  #timer: NodeJS.Timeout | undefined;
  #drawn: readonly string[] = [];
  /** Lines for the next frame to leave above itself, where they stay. */
  readonly #above: string[] = [];
  #besideCount = 0;
  #tick = 0;

  constructor(screen: Screen, style: Style, nowMs: () => number) {
    this.#screen = screen;
    this.#style = style;
    this.#nowMs = nowMs;
  }

  begun(board: Board): void {
    clearInterval(this.#timer);
    this.#board = startBoard(board, this.#nowMs());
    this.#timer = setInterval(() => this.#draw(false), 1000 / framesPerSecond);
    // The view alone must not keep the process alive.
    this.#timer.unref();
    this.#draw(false);
  }

  /** `agoMs`: how long ago it happened. */
  progress(progress: Step, agoMs = 0): void {
    if (this.#board !== undefined) updateBoard(this.#board, progress, this.#nowMs() - agoMs);
    const line = besideStepsLine(progress, this.#style);
    if (line !== undefined && ++this.#besideCount <= besideMax) this.#leave(this.#fitting(line));
  }

  tell(message: string): void {
    if (this.#board === undefined) this.#screen.write(`${this.#fitting(message)}\n`);
    else this.#board.message = message;
  }

  /** Removes the picture, because the text that follows says more. */
  clear(): void {
    if (this.#board === undefined) return;
    clearInterval(this.#timer);
    const up = this.#height(this.#screen.columns || 80);
    this.#screen.write(`${up === 0 ? '' : `${escapeCode}[${up}A\r`}${clearBelow}`);
    this.#drawn = [];
    this.#board = undefined;
  }

  close(): void {
    if (this.#board === undefined) return;
    clearInterval(this.#timer);
    this.#board.message = '';
    settleBoard(this.#board);
    const more = this.#besideCount - besideMax;
    if (more > 0) this.#leave(moreBesideLine(more, this.#style));
    this.#draw(true);
    this.#board = undefined;
  }

  #fitting(text: string): string {
    return screenText(text, this.#screen.columns || 80);
  }

  #leave(line: string): void {
    if (this.#board === undefined) this.#screen.write(`${line}\n`);
    else this.#above.push(line);
  }

  #draw(final: boolean): void {
    if (this.#board === undefined) return;
    const { columns, rows } = this.#screen;
    const view = { height: rows || 24, nowMs: this.#nowMs(), tick: this.#tick++, final };
    const lines = frameLines(this.#board, view, { ...this.#style, width: columns || 80 });
    const up = this.#height(columns || 80);
    const back = up === 0 ? '' : `${escapeCode}[${up}A\r`;
    const above = this.#above.splice(0).flatMap((text) => text.split('\n'));
    const text = [...above, ...lines].map((line) => `${line}${clearLine}\n`).join('');
    this.#screen.write(`${beginFrame}${back}${text}${clearBelow}${endFrame}`);
    this.#drawn = lines;
  }

  /** Lines that the last frame fills now: in a terminal that became narrower, long lines are wrapped. */
  #height(columns: number): number {
    return this.#drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(visibleLength(line) / columns)), 0);
  }
}
