import type { Clock } from '../../base/clock.ts';

/** Why a call was given up before it answered. */
export type GivenUp = 'timed-out' | 'interrupted';

/**
 * Watches over the calls under way, with one timer and one listener for all of them: either costs more than a quick
 * function does. What is done within a turn of the loop is not watched at all. A call that is given up goes on unheard,
 * for a function of this process cannot be killed.
 */
export class CallWatch {
  readonly #clock: Clock;
  readonly #interrupt: AbortSignal;
  // No set: each time it makes room the old table goes on holding what was in it, until the next large collection.
  #calls: Call[] = [];
  #watching: { readonly until: number; readonly over: AbortController } | undefined;
  #isAboutToWatch = false;

  constructor(clock: Clock, interrupt: AbortSignal) {
    this.#clock = clock;
    this.#interrupt = interrupt;
  }

  /** The result of the work, or why it was given up. The work must not reject. */
  wait<T>(work: Promise<T>, timeoutMs: number): Promise<T | GivenUp> {
    if (this.#interrupt.aborted) return Promise.resolve('interrupted');
    return new Promise((resolve) => {
      const call: Call = { until: this.#clock.monotonicMs() + timeoutMs, giveUp: resolve };
      this.#calls.push(call);
      this.#watchSoon();
      void work.then((value) => {
        this.#forget(call);
        if (this.#calls.length === 0) this.#rest();
        resolve(value);
      });
    });
  }

  #watchSoon(): void {
    if (this.#isAboutToWatch) return;
    this.#isAboutToWatch = true;
    setImmediate(() => {
      this.#isAboutToWatch = false;
      if (this.#interrupt.aborted) this.#interruptAll();
      else this.#watch();
    });
  }

  /** Sleeps until the first of the calls has had its time. */
  #watch(): void {
    if (this.#calls.length === 0) return;
    const until = this.#calls.reduce((first, call) => Math.min(first, call.until), Number.POSITIVE_INFINITY);
    if (this.#watching !== undefined && this.#watching.until <= until) return;
    this.#rest();
    const over = new AbortController();
    this.#watching = { until, over };
    this.#interrupt.addEventListener('abort', this.#interruptAll);
    const ms = Math.min(until - this.#clock.monotonicMs(), sleepMsMax);
    void this.#clock.sleep(ms, over.signal).then(() => {
      if (!over.signal.aborted) this.#giveUpLate();
    });
  }

  #giveUpLate(): void {
    this.#rest();
    const now = this.#clock.monotonicMs();
    const late = this.#calls.filter((call) => call.until <= now);
    this.#calls = this.#calls.filter((call) => call.until > now);
    for (const call of late) call.giveUp('timed-out');
    this.#watch();
  }

  readonly #interruptAll = (): void => {
    this.#rest();
    for (const call of this.#calls.splice(0)) call.giveUp('interrupted');
  };

  #forget(call: Call): void {
    const at = this.#calls.indexOf(call);
    const last = at === -1 ? undefined : this.#calls.pop();
    if (last !== undefined && last !== call) this.#calls[at] = last;
  }

  #rest(): void {
    if (this.#watching === undefined) return;
    // With a reason of our own: the usual one is an error, and its stack costs more than all the rest.
    this.#watching.over.abort('over');
    this.#watching = undefined;
    this.#interrupt.removeEventListener('abort', this.#interruptAll);
  }
}

interface Call {
  /** On the monotonic clock. */
  readonly until: number;
  giveUp(why: GivenUp): void;
}

/** A timer takes no more, and fires at once when it is given more. */
const sleepMsMax = 2 ** 31 - 1;
