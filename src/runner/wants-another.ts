import { findStep } from '../ledger/ledger.ts';
import type { ReadyStep } from './attempt.ts';
import type { RunContext } from './context.ts';

/**
 * Somebody has sent something back, or asked for this step to run again: they want another result, and not one that was
 * made before from the same.
 */
export function wantsAnother(
  run: Pick<RunContext, 'ledger'>,
  { unit, phase, round }: Pick<ReadyStep, 'unit' | 'phase' | 'round'>,
): boolean {
  const step = findStep(run.ledger, unit.id, phase.name);
  if (round > 1 || step?.failure !== undefined) return true;
  return step?.superseded?.because === 'rerun-requested' || (step?.feedback?.length ?? 0) > 0;
}
