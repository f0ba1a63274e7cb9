import { findStep, type Ledger } from '../../../ledger/ledger.ts';
import type { AttemptStarted, StoredEvent } from '../../../model/event.ts';
import { parseStepName, stepName } from '../../../model/names.ts';
import { refAttempt } from '../../../planner/compare.ts';

/**
 * The steps that a decision named, and every step that ran because of them: it took what one of them had made since,
 * started from the state that one committed, or was sent back by a gate among them. `since`: the events after the decision.
 */
export function affectedSteps(named: Iterable<string>, since: readonly StoredEvent[]): Set<string> {
  const affected = new Set(named);
  for (const event of since)
    if (event.type === 'attempt_started' && isCausedBy(event, affected))
      affected.add(stepName(event.unit, event.phase));
  return affected;
}

/** A claim on one of the steps: its owner works with the results as they are now. */
export function openClaim(
  ledger: Ledger,
  steps: Iterable<string>,
): { readonly step: string; readonly by: string } | undefined {
  for (const step of steps) {
    const parts = parseStepName(step);
    const claim = parts && findStep(ledger, parts.unit, parts.phase)?.running?.claim;
    if (claim !== undefined) return { step, by: claim.actor };
  }
  return undefined;
}

function isCausedBy(
  { unit, inputs = {}, preState, why }: AttemptStarted,
  affected: ReadonlySet<string>,
): boolean {
  for (const ref of Object.values(inputs)) if (affected.has(sourceOf(unit, ref))) return true;
  if (preState?.from !== undefined && isOfUnit(preState.from.split('#', 1)[0] ?? '', affected)) return true;
  const gate = typeof why === 'object' && why !== null && 'gate' in why ? why.gate : undefined;
  return typeof gate === 'string' && affected.has(stepName(unit, gate));
}

/** The step that an input was made by; one of another unit is named with that unit. */
function sourceOf(unit: string, ref: string): string {
  const { phase } = refAttempt(ref);
  return phase.includes('/') ? phase : stepName(unit, phase);
}

function isOfUnit(unit: string, affected: ReadonlySet<string>): boolean {
  for (const name of affected) if (name.startsWith(`${unit}/`)) return true;
  return false;
}
