import { exitCodesOfSignals } from '../text/catalogue/exit-codes.ts';
import type { CommandIo } from './command-io.ts';

/** The signals of one run: the first lets what runs end, the second ends it, the third leaves at once. */
export interface Signals {
  readonly stop: AbortSignal;
  readonly interrupt: AbortSignal;
  /** The exit code of the first signal; undefined without one. */
  exitCode(): number | undefined;
  /** The run is over: a signal that comes now must not keep the result from being printed. */
  ignore(): void;
}

/** What each of the three signals does besides. */
interface SignalWatcher {
  stopping?(): void;
  ending?(): void;
  leaving?(): void;
}

export function watchSignals(
  io: Pick<CommandIo, 'onSignal' | 'exit' | 'exitCode'>,
  watcher: SignalWatcher = {},
): Signals {
  const stop = new AbortController();
  const interrupt = new AbortController();
  let exitCode: number | undefined;
  let isOver = false;
  const receive = (code: number) => {
    if (isOver) return;
    exitCode ??= code;
    if (!stop.signal.aborted) {
      watcher.stopping?.();
      stop.abort();
    } else if (!interrupt.signal.aborted) {
      watcher.ending?.();
      interrupt.abort();
    } else {
      watcher.leaving?.();
      io.exitCode = exitCode;
      io.exit();
    }
  };
  for (const [name, code] of exitCodesOfSignals) io.onSignal(name, () => receive(code));
  return {
    stop: stop.signal,
    interrupt: interrupt.signal,
    exitCode: () => exitCode,
    ignore: () => {
      isOver = true;
    },
  };
}
