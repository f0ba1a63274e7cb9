import { formatTime } from '../base/clock.ts';
import type { RunContext } from './context.ts';

/** The workers of a sitting: some are at an attempt, the others rest until there may be more to do. */
export class Workers {
  readonly #run: Pick<RunContext, 'clock' | 'observe'>;
  readonly #resting: (() => void)[] = [];
  #busy = 0;
  #told: number | undefined;

  constructor(run: Pick<RunContext, 'clock' | 'observe'>) {
    this.#run = run;
  }

  get isBusy(): boolean {
    return this.#busy > 0;
  }

  /** One of them is at an attempt until it ends. */
  begin(): void {
    this.#busy += 1;
  }

  end(): void {
    this.#busy -= 1;
    this.wakeAll();
  }

  /** Until another one ends, or the time that one waits for has come. False: neither will. */
  async rest(opens: number | undefined): Promise<boolean> {
    if (this.#busy === 0) {
      if (opens === undefined) return false;
      if (opens !== this.#told) this.#run.observe({ type: 'waiting', until: formatTime(opens) });
      this.#told = opens;
    }
    const woken = new Promise<void>((resolve) => {
      this.#resting.push(resolve);
    });
    if (opens === undefined) await woken;
    else {
      const over = new AbortController();
      await Promise.race([woken, this.#run.clock.sleep(this.#untilMs(opens), over.signal)]);
      over.abort('over');
    }
    return true;
  }

  wakeAll(): void {
    if (this.#resting.length === 0) return;
    for (const wake of this.#resting.splice(0)) wake();
  }

  #untilMs(opens: number): number {
    return Math.min(Math.max(0, opens - this.#run.clock.now()), sleepMsMax);
  }
}

/** A timer takes no more; whoever wakes early looks again. */
const sleepMsMax = 60 * 60_000;
