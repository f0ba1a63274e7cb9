/** How a process ended. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Signals that end a whole process group or session: Ctrl-C, a service manager, a closed terminal. */
const groupSignals: ReadonlyMap<NodeJS.Signals, number> = new Map([
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
]);

/** Also when the program handled the signal and reports it by its exit code, as shells do. */
export function isGroupSignal({ code, signal }: ProcessEnd): boolean {
  if (signal !== null) return groupSignals.has(signal);
  return code !== null && [...groupSignals.values()].some((number) => code === 128 + number);
}

type GroupSignal = { readonly signal: string } | { readonly exitCode: number };

/**
 * What an error says of the child process that it is about; undefined where that was not ended from outside. The error
 * of a child is often wrapped in another one, so the causes are read as well.
 */
export function groupSignalOf(error: unknown): GroupSignal | undefined {
  let one = error;
  for (let depth = 0; depth < causesMax && typeof one === 'object' && one !== null; depth++) {
    const { signal, code, status, exitCode, cause } = one as Readonly<Record<string, unknown>>;
    if (typeof signal === 'string')
      return groupSignals.has(signal as NodeJS.Signals) ? { signal } : undefined;
    const ended = [exitCode, status, code].find((value) => typeof value === 'number');
    if (typeof ended === 'number')
      return isGroupSignal({ code: ended, signal: null }) ? { exitCode: ended } : undefined;
    one = cause;
  }
  return undefined;
}

/** An error can be its own cause. */
const causesMax = 8;
