import type { Hash } from '../../base/hash.ts';
import type { Ledger } from '../../ledger/ledger.ts';

const inFlight = new WeakMap<Ledger, Map<Hash, Promise<void>>>();

/**
 * Waits until nobody in this sitting is about to get an answer to the same call, and takes its place: then either there is
 * an answer to find, or this one asks. Whoever has it gives it back when its attempt is on record.
 */
export async function takeTurn(ledger: Ledger, key: Hash): Promise<() => void> {
  const calls = inFlight.get(ledger) ?? new Map<Hash, Promise<void>>();
  inFlight.set(ledger, calls);
  for (let other = calls.get(key); other !== undefined; other = calls.get(key)) await other;
  let end: () => void = () => undefined;
  calls.set(key, new Promise<void>((resolve) => (end = resolve)));
  return () => {
    calls.delete(key);
    end();
  };
}
