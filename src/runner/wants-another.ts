import { findCell } from '../ledger/ledger.ts';
import type { ReadyStep } from './attempt.ts';
import type { RunContext } from './context.ts';

/**
 * Somebody has sent something back, or asked for this step to run again: they want another result, and not one that was
 * made before from the same.
 */
export function wantsAnother(
  run: Pick<RunContext, 'ledger'>,
  { unit, phase, iteration }: Pick<ReadyStep, 'unit' | 'phase' | 'iteration'>,
): boolean {
  const cell = findCell(run.ledger, unit.id, phase.name);
  if (iteration > 1 || cell?.failure !== undefined) return true;
  return cell?.superseded?.because === 'rerun-requested' || (cell?.feedback?.length ?? 0) > 0;
}
