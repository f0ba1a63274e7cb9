import type { TaskBlocked } from '../model/event.ts';
import type { Ledger } from './ledger.ts';

/** The last word on a unit counts. */
export function block(
  ledger: Ledger,
  { unit, reason, actor, at }: TaskBlocked & { actor: string; at: string },
): void {
  unblock(ledger, unit);
  ledger.blocked.push({ unit, reason, actor, at });
}

export function unblock(ledger: Ledger, unit: string): void {
  if (ledger.blocked.length > 0) ledger.blocked = ledger.blocked.filter((blocked) => blocked.unit !== unit);
}
