import type { Ledger, Tally } from './ledger.ts';

/** The count of a phase's attempts, over all units. */
export function takeTally(ledger: Ledger, phase: string): Tally {
  for (const tally of ledger.tallies) if (tally.phase === phase) return tally;
  const tally: Tally = { phase, attempts: 0, retries: 0, bad: 0, badInARow: 0 };
  ledger.tallies.push(tally);
  return tally;
}

export function countStart(tally: Tally, attempt: number): void {
  tally.attempts += 1;
  if (attempt > 1) tally.retries += 1;
}

export function countEnd(tally: Tally, isGood: boolean): void {
  if (!isGood) tally.bad += 1;
  tally.badInARow = isGood ? 0 : tally.badInARow + 1;
}
