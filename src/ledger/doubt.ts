import { isUnheard } from '../model/attempt-failure.ts';
import type { CallRecord, Cost } from '../model/event.ts';
import type { Cell, Ledger } from './ledger.ts';
import { noteDoubt } from './spent.ts';

/*
 * Money of which nobody knows whether it was spent: a call was sent, and what came of it is not on record. It counts
 * against budgets by what it may come to, until its answer is found after all.
 */

/** The attempt under way is cut off. */
export function noteCut(ledger: Ledger, cell: Cell): void {
  noteDoubt(ledger, cell.phase, cell.running?.call);
}

/** An attempt ended: its answer may be that of one that was cut off, or it may have none that anybody counted. */
export function noteEnd(
  ledger: Ledger,
  cell: Cell,
  { call, cost, reason }: { readonly call?: CallRecord; readonly cost?: Cost; readonly reason?: string },
): void {
  if (call === undefined) return;
  const { adopted } = call;
  // Those in between only meant to take it over.
  for (const { attempt, call: cut } of cell.unended ?? [])
    if (adopted !== undefined && attempt >= adopted) noteDoubt(ledger, cell.phase, cut, -1);
  if (cost === undefined && reason !== undefined && isUnheard(reason))
    noteDoubt(ledger, cell.phase, cell.running?.call);
}
