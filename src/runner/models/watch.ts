import type { ExecutorHost } from '../executor-host.ts';

/** The time that a call has. */
export interface Watch {
  readonly signal: AbortSignal;
  isTimedOut(): boolean;
  /** Ends the call. */
  end(): void;
  /** The call has ended. */
  over(): void;
}

/** A call ends when its time is over, or when somebody ends the run. */
export function watchOver(
  { clock, interrupt }: Pick<ExecutorHost, 'clock' | 'interrupt'>,
  timeoutMs: number,
): Watch {
  const call = new AbortController();
  const timer = new AbortController();
  let timedOut = false;
  void clock.sleep(timeoutMs, AbortSignal.any([timer.signal, interrupt])).then(() => {
    if (timer.signal.aborted || interrupt.aborted) return;
    timedOut = true;
    call.abort();
  });
  return {
    signal: AbortSignal.any([call.signal, interrupt]),
    isTimedOut: () => timedOut,
    end: () => call.abort(),
    over: () => timer.abort(),
  };
}
