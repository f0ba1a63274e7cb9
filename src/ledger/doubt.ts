import { isUnheard } from '../model/attempt-failure.ts';
import type { CallIntent, CallRecord, Cost } from '../model/event.ts';
import type { Ledger, Step } from './ledger.ts';
import { noteDoubt } from './spent.ts';

/*
 * Money of which nobody knows whether it was spent: a call was sent, and what came of it is not on record. It counts
 * against budgets by what it may come to from the moment it is sent, for whoever sends it may not live to tell; until it
 * has ended, or its answer is found after all.
 */

export function noteSent(ledger: Ledger, phase: string, call: CallIntent | undefined): void {
  noteDoubt(ledger, phase, call);
}

/** The attempt was interrupted before its request was sent: nothing was paid. */
export function noteUnsent(ledger: Ledger, phase: string, call: CallIntent | undefined): void {
  noteDoubt(ledger, phase, call, -1);
}

/** An attempt ended: what it cost is known, unless nobody heard; and its answer may be that of one that was cut off. */
export function noteEnd(
  ledger: Ledger,
  step: Step,
  { call, cost, reason }: { readonly call?: CallRecord; readonly cost?: Cost; readonly reason?: string },
): void {
  const isUnknown = cost === undefined && reason !== undefined && isUnheard(reason);
  if (!isUnknown) noteDoubt(ledger, step.phase, step.running?.call, -1);
  const adopted = call?.adopted;
  if (adopted === undefined) return;
  // Those in between only meant to take it over.
  for (const { attempt, call: cut } of step.unended ?? [])
    if (attempt >= adopted) noteDoubt(ledger, step.phase, cut, -1);
}
