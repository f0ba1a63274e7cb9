/**
 * A client need not wait for an answer before it calls again. What changes something is carried out in the order of the
 * calls; what only looks goes beside it. And a server that is told to end waits for what it has begun.
 */
export class Turns {
  readonly #running = new Set<Promise<unknown>>();
  #last: Promise<unknown> = Promise.resolve();

  beside<T>(work: () => Promise<T>): Promise<T> {
    return this.#keep(work());
  }

  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work, work);
    this.#last = mine.catch(() => undefined);
    return this.#keep(mine);
  }

  /** Resolves when nothing is under way any more. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  #keep<T>(work: Promise<T>): Promise<T> {
    const done = () => void this.#running.delete(work);
    this.#running.add(work);
    work.then(done, done);
    return work;
  }
}
