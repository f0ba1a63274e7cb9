import type { Writable } from 'node:stream';
import type { Environment } from '../engine/open/environment.ts';
import { eventJson } from '../text/event-json.ts';

/**
 * Writes one JSON document per line to a reader that may be slower than the run. What the stream cannot take is waited
 * for, so that memory stays bounded. A reader that has gone is written to no more, and the run continues.
 */
export class LineWriter {
  readonly #stream: Writable;
  #isGone = false;
  #isReleased = false;
  #waiting: { readonly drained: Promise<void>; resolve(): void } | undefined;

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on('drain', () => this.#resume());
    for (const end of ['error', 'close']) {
      stream.on(end, () => {
        this.#isGone = true;
        this.#resume();
      });
    }
  }

  /** The promise is there while the reader is behind. */
  write(document: object): Promise<void> | undefined {
    if (this.#isGone) return undefined;
    const isTaken = this.#stream.write(`${JSON.stringify(document)}\n`);
    if (isTaken || this.#isReleased) return undefined;
    this.#waiting ??= deferred();
    return this.#waiting.drained;
  }

  /** The run is to end: from here on it waits for no reader. */
  release(): void {
    this.#isReleased = true;
    this.#resume();
  }

  #resume(): void {
    this.#waiting?.resolve();
    this.#waiting = undefined;
  }
}

/** Prints what a process records, as it is recorded. */
export function recordedTo(lines: LineWriter | undefined): Pick<Environment, 'onRecorded'> {
  return {
    onRecorded: (run, events) => {
      let behind: Promise<void> | undefined;
      for (const event of events) behind = lines?.write(eventJson(run, event));
      return behind;
    },
  };
}

function deferred(): { drained: Promise<void>; resolve(): void } {
  let resolve: () => void = () => undefined;
  const drained = new Promise<void>((done) => {
    resolve = done;
  });
  return { drained, resolve };
}
