import type { Clock } from '../base/clock.ts';
import type { StoredEvent } from '../model/event.ts';

/** So that nothing on disk is 200 ms behind the journal, with the time that the writing itself takes. */
export const behindMsMax = 150;

interface LateFiles {
  unitRecorded(unit: string): void;
  catchUp(): void;
}

/** Writes the files for people soon after an event, also while a long step keeps everything else waiting. */
export class ProjectionTimer {
  readonly #clock: Clock;
  readonly #over = new AbortController();
  #files: LateFiles | undefined;
  #isSet = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** From here on these are the ones to be written: a run whose units were listed again has new ones. */
  keepUp(files: LateFiles): void {
    this.#files = files;
  }

  note(events: readonly StoredEvent[]): void {
    if (this.#failure !== undefined) throw this.#failure.error;
    for (const event of events)
      if ('unit' in event && event.unit !== undefined) this.#files?.unitRecorded(event.unit);
    this.set();
  }

  /** Once is enough: what comes until it is over is written with it. */
  set(): void {
    if (this.#isSet || this.#files === undefined || this.#over.signal.aborted) return;
    this.#isSet = true;
    const whenDue = async () => {
      await this.#clock.sleep(behindMsMax, this.#over.signal);
      this.#isSet = false;
      if (!this.#over.signal.aborted) this.#files?.catchUp();
    };
    // Trouble of the disk is noted where it is met; anything else ends the run with its next event.
    whenDue().catch((error: unknown) => {
      this.#failure ??= { error };
    });
  }

  /** The run is about to be let go: nothing is written any more. */
  close(): void {
    this.#over.abort();
  }
}
