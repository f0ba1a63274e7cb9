import type { Clock } from '../base/clock.ts';
import { DiskError } from '../disk/disk.ts';
import type { StoredEvent } from '../model/event.ts';

/** With the time of the writing itself, no file is more than 200 ms behind the journal. */
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

  /** Replaces the files to write, because a run that lists its units again has new ones. */
  keepUp(files: LateFiles): void {
    this.#files = files;
  }

  note(events: readonly StoredEvent[]): void {
    if (this.#failure !== undefined) throw this.#failure.error;
    for (const event of events)
      if ('unit' in event && event.unit !== undefined) this.#files?.unitRecorded(event.unit);
    this.set();
  }

  /** Once is enough, because events until it fires are written with it. */
  set(): void {
    if (this.#isSet || this.#files === undefined || this.#over.signal.aborted) return;
    this.#isSet = true;
    const whenDue = async () => {
      await this.#clock.sleep(behindMsMax, this.#over.signal);
      this.#isSet = false;
      if (!this.#over.signal.aborted) this.#files?.catchUp();
    };
    // Disk errors are noted by the writer. Anything else is a bug: the next event throws it.
    whenDue().catch((error: unknown) => {
      this.#failure ??= { error };
    });
  }

  /** Before the lock is released: nothing is written after this. */
  close(): void {
    this.#over.abort();
  }
}

/**
 * The files for people that could not be written, until they are. All are made from the journal, so none ends a run that
 * pays for its work: the run reports it at its end, and every later write tries again.
 */
export class ProjectionTroubles {
  readonly #codes = new Map<string, string>();

  /** Writes the file at a path of the workspace. False: the disk has refused. */
  attempt(path: string, write: () => void): boolean {
    try {
      write();
    } catch (error) {
      this.note(path, error);
      return false;
    }
    this.clear(path);
    return true;
  }

  /** Keeps a disk error; rethrows anything else. */
  note(path: string, error: unknown): void {
    if (!(error instanceof DiskError)) throw error;
    this.#codes.set(path, error.code);
  }

  clear(path: string): void {
    this.#codes.delete(path);
  }

  has(path: string): boolean {
    return this.#codes.has(path);
  }

  list(): { readonly path: string; readonly error: string }[] {
    return Array.from(this.#codes, ([path, error]) => ({ path, error }));
  }
}
