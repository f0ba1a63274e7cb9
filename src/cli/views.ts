import type { Board } from '../engine/observe/board.ts';
import { begunLine, progressLine } from '../text/live/progress.ts';
import type { Face } from './face.ts';
import type { ProgressView, Step } from './progress-view.ts';

/** A view that fits to who is looking. */
export async function openView(face: Face): Promise<ProgressView> {
  if (face.quiet) return new QuietView(face);
  if (!face.canDraw) return new LineView(face);
  const { LiveView } = await import('./live.ts');
  return new LiveView(face.io.stderr, face.errStyle, () => face.io.clock.monotonicMs());
}

/** One line for each thing that happens: for pipes, files and logs. */
class LineView implements ProgressView {
  readonly #face: Face;

  constructor(face: Face) {
    this.#face = face;
  }

  begun(board: Board): void {
    this.#face.err(begunLine(board));
  }

  progress(progress: Step): void {
    const line = progressLine(progress, this.#face.errStyle);
    if (line !== undefined) this.#face.err(line);
  }

  tell(message: string): void {
    this.#face.err(message);
  }

  close(): void {}
}

class QuietView implements ProgressView {
  readonly #face: Face;

  constructor(face: Face) {
    this.#face = face;
  }

  begun(): void {}
  progress(): void {}
  close(): void {}

  /** An answer to a signal is no progress: without it nobody knows that it arrived. */
  tell(message: string): void {
    this.#face.err(message);
  }
}
