/** The signals of one run: the first lets what runs end, the second ends it, the third leaves at once. */
export interface Signals {
  readonly stop: AbortSignal;
  readonly interrupt: AbortSignal;
  /** 130 after Ctrl-C, 143 after SIGTERM; undefined when there was no signal. */
  exitCode(): number | undefined;
  /** The run is over: a signal that comes now must not keep the result from being told. */
  ignore(): void;
}

export interface SignalWatcher {
  stopping(): void;
  ending(): void;
  leaving(): void;
}

export function watchSignals(watcher: SignalWatcher): Signals {
  const stop = new AbortController();
  const interrupt = new AbortController();
  let exitCode: number | undefined;
  let isOver = false;
  const receive = (name: NodeJS.Signals) => {
    if (isOver) return;
    exitCode ??= exitCodeOf.get(name) ?? 1;
    if (!stop.signal.aborted) {
      watcher.stopping();
      stop.abort();
    } else if (!interrupt.signal.aborted) {
      watcher.ending();
      interrupt.abort();
    } else {
      watcher.leaving();
      process.exit(exitCode);
    }
  };
  for (const name of exitCodeOf.keys()) process.on(name, receive);
  return {
    stop: stop.signal,
    interrupt: interrupt.signal,
    exitCode: () => exitCode,
    ignore: () => {
      isOver = true;
    },
  };
}

/** As shells count: 128 and the number of the signal. A closed terminal is a stop like any other. */
const exitCodeOf: ReadonlyMap<NodeJS.Signals, number> = new Map([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
]);
