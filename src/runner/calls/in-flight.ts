import type { Hash } from '../../base/hash.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import type { Pause } from '../pause.ts';

/** Why somebody who asked the same has no answer. */
export interface NoAnswer {
  readonly failure: AttemptFailure;
  readonly pause: Pause | undefined;
}

export interface Turn {
  /** What whoever was waited for came to; undefined: nobody was, or there is an answer now. */
  readonly before: NoAnswer | undefined;
  end(noAnswer: NoAnswer | undefined): void;
}

const inFlight = new WeakMap<Ledger, Map<Hash, Promise<NoAnswer | undefined>>>();

/**
 * Waits until nobody in this sitting is about to get an answer to the same call, and takes its place: then either there is
 * an answer to find, or this one asks. Whoever has it gives it back when its attempt is on record.
 */
export async function takeTurn(ledger: Ledger, key: Hash): Promise<Turn> {
  const calls = inFlight.get(ledger) ?? new Map<Hash, Promise<NoAnswer | undefined>>();
  inFlight.set(ledger, calls);
  let before: NoAnswer | undefined;
  for (let other = calls.get(key); other !== undefined; other = calls.get(key)) before = await other;
  let resolve: (noAnswer: NoAnswer | undefined) => void = () => undefined;
  calls.set(
    key,
    new Promise((done) => {
      resolve = done;
    }),
  );
  return {
    before,
    end(noAnswer) {
      calls.delete(key);
      resolve(noAnswer);
    },
  };
}
