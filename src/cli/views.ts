import type { Board } from '../engine/observe/board.ts';
import type { StatusWatcher } from '../engine/show/watch-status.ts';
import { eventJson } from '../text/event-json.ts';
import { begunLine, progressLine, runningLine } from '../text/live/progress.ts';
import type { Face } from './face.ts';
import type { ProgressView, Step } from './live.ts';

/** The view of a run that fits the reader: a drawn one, lines, or nothing. */
export async function openView(face: Face): Promise<ProgressView> {
  if (face.quiet) return new QuietView(face);
  if (!face.canDraw) return new LineView(face);
  const { LiveView } = await import('./live.ts');
  return new LiveView(face.io.stderr, face.errStyle, () => face.io.clock.monotonicMs());
}

/** One line per progress: for pipes, files and logs. */
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

  /** The answer to a signal is printed in any case, because it shows that the signal arrived. */
  tell(message: string): void {
    this.#face.err(message);
  }
}

/** The view of a run that another process works on. */
interface WatchView extends StatusWatcher {
  /** The answer follows, so nothing more is drawn. */
  end(): void;
}

/** The picture in place on a terminal, an event per line with `--json`, else a line per change. */
export async function openWatchView(face: Face): Promise<WatchView> {
  const { lines, outStyle, io } = face;
  if (lines !== undefined)
    return {
      begun: () => undefined,
      progress: () => undefined,
      recorded: (run, events) => {
        for (const event of events) void lines.write(eventJson(run, event));
      },
      end: () => undefined,
    };
  if (io.stdout.isTTY && io.process.variables.TERM !== 'dumb') {
    const { LiveView } = await import('./live.ts');
    const view = new LiveView(io.stdout, outStyle, () => io.clock.monotonicMs());
    return {
      begun: (board, running) => {
        view.begun(board);
        for (const { ms, ...step } of running)
          view.progress({ type: 'attempt-started', ...step, why: { code: 'never-ran' } }, ms);
      },
      progress: (progress, agoMs) => view.progress(progress, agoMs),
      recorded: () => undefined,
      end: () => view.clear(),
    };
  }
  return {
    begun: (board, running) => {
      face.out(begunLine(board));
      for (const step of running) face.out(runningLine(step));
    },
    progress: (progress) => {
      const line = progressLine(progress, outStyle);
      if (line !== undefined) face.out(line);
    },
    recorded: () => undefined,
    end: () => undefined,
  };
}
