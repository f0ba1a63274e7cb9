import type { Clock } from '../../base/clock.ts';
import { isGroupSignal, type ProcessEnd } from '../../disk/group-signal.ts';
import type { AttemptFailure } from '../../model/failure.ts';

interface Stopping {
  readonly clock: Clock;
  /** Fires: this invocation is asked to stop. */
  readonly stop: AbortSignal;
}

/**
 * True: whatever ended the attempt is stopping this invocation too, so it is no failure of the attempt. Ctrl-C and
 * service managers signal more processes than Pawl: a command before it leads its own group, a child of a function.
 */
export async function isCutOff(
  run: Stopping,
  { facts: { signal, exitCode } = {} }: AttemptFailure,
): Promise<boolean> {
  const end: ProcessEnd = {
    code: typeof exitCode === 'number' ? exitCode : null,
    signal: typeof signal === 'string' ? (signal as NodeJS.Signals) : null,
  };
  return isGroupSignal(end) && (await isStoppedToo(run));
}

/** A child's end may be seen before the signal that this process got too, so pending signals are dispatched first. */
async function isStoppedToo(run: Stopping): Promise<boolean> {
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
