import type { AttemptFailure } from '../../model/failure.ts';
import type { RunContext } from '../context.ts';

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
function isGroupSignal({ code, signal }: ProcessEnd): boolean {
  if (signal !== null) return groupSignals.has(signal);
  return code !== null && [...groupSignals.values()].some((number) => code === 128 + number);
}

/** What an error says of the child process that it is about; undefined where that was not ended from outside. */
export function groupSignalOf(
  error: unknown,
): { readonly signal: string } | { readonly exitCode: number } | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { signal, code, status, exitCode } = error as Readonly<Record<string, unknown>>;
  if (typeof signal === 'string') return groupSignals.has(signal as NodeJS.Signals) ? { signal } : undefined;
  const ended = [exitCode, status, code].find((value) => typeof value === 'number');
  if (typeof ended !== 'number') return undefined;
  return isGroupSignal({ code: ended, signal: null }) ? { exitCode: ended } : undefined;
}

/**
 * True: whatever ended the attempt is stopping this invocation too, so it is no failure of the attempt. Ctrl-C and
 * service managers signal more processes than Pawl: a command before it leads its own group, a child of a function.
 */
export async function isCutOff(
  run: Pick<RunContext, 'clock' | 'stop'>,
  { facts: { signal, exitCode } = {} }: AttemptFailure,
): Promise<boolean> {
  const end: ProcessEnd = {
    code: typeof exitCode === 'number' ? exitCode : null,
    signal: typeof signal === 'string' ? (signal as NodeJS.Signals) : null,
  };
  return isGroupSignal(end) && (await isStoppedToo(run));
}

/** A child's end may be seen before the signal that this process got too, so pending signals are dispatched first. */
async function isStoppedToo(run: Pick<RunContext, 'clock' | 'stop'>): Promise<boolean> {
  // Two turns, because the first may be the rest of the one in which the end was seen.
  for (let turns = 0; turns < 2 && !run.stop.aborted; turns++) await nextTurn();
  // Whoever stops a service signals one process after the other.
  if (!run.stop.aborted) await run.clock.sleep(signalsApartMsMax, run.stop);
  return run.stop.aborted;
}

const signalsApartMsMax = 100;

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
