import { findStep } from '../ledger/ledger.ts';
import type { AttemptFailure } from '../model/failure.ts';
import type { Revision } from './assignment.ts';
import type { ReadyStep } from './attempt.ts';
import type { RunContext } from './context.ts';

/** How often one phase may ask for another: two that disagree must not go round for ever. */
const revisionsMax = 3;
const reasonLengthMax = 4_000;

/** The end of an attempt that asks for a revision: granted where the manifest says that the phase may. */
export function revisionFailure(
  run: Pick<RunContext, 'ledger'>,
  { unit, phase }: Pick<ReadyStep, 'unit' | 'phase'>,
  { phase: to, reason }: Revision,
): AttemptFailure {
  const message = reason.slice(0, reasonLengthMax);
  if (!phase.revises.includes(to))
    return { reason: 'revision-refused', message, facts: { to, valid: phase.revises.join(', ') } };
  const asked = findStep(run.ledger, unit.id, to)?.feedback ?? [];
  const times = asked.filter(({ kind, by }) => kind === 'revision' && by === phase.name).length;
  if (times >= revisionsMax) return { reason: 'revision-refused', message, facts: { to, times } };
  return { reason: 'revision-requested', message, facts: { to } };
}
