import type { StatusWatcher } from '../engine/show/watch-status.ts';
import { eventJson } from '../text/event-json.ts';
import { begunLine, progressLine, runningLine } from '../text/live/progress.ts';
import type { Face } from './face.ts';

/** Who looks on while another process works on a run. */
export interface WatchView extends StatusWatcher {
  /** What follows is the answer. */
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
