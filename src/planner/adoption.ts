import type { Ledger } from '../ledger/ledger.ts';
import type { ArtifactAdopted, OutputRecord } from '../model/event.ts';
import type { Refusal } from '../model/reason.ts';
import type { Facts } from './facts.ts';

/** The event that takes an edited file in, as it is now. */
export function adoption(
  ledger: Ledger,
  facts: Facts,
  refusal: Refusal & { guard: 'output-edited' | 'state-edited' },
  reason: string,
): ArtifactAdopted | undefined {
  if (refusal.guard === 'output-edited') {
    const fact = facts.outputs.get(refusal.path);
    if (fact?.kind !== 'edited') return undefined;
    const { unit, phase, output, before } = refusal;
    const { kind: _, now: after, writtenBy: __, ...judged } = fact;
    return { type: 'artifact_adopted', unit, phase, output, before, after, ...judged, reason };
  }
  const shown = facts.state?.shown;
  const writer = stateWriter(ledger, refusal.unit);
  if (shown === undefined || writer === undefined) return undefined;
  const after: OutputRecord = { ...shown, path: writer.path };
  return {
    type: 'artifact_adopted',
    unit: refusal.unit,
    phase: writer.phase,
    output: 'state',
    before: refusal.before,
    after,
    reason,
  };
}

function stateWriter(ledger: Ledger, unit: string): { phase: string; path: string } | undefined {
  for (const step of ledger.steps.values()) {
    if (step.unit === unit && step.placed?.state !== undefined)
      return { phase: step.phase, path: step.placed.state.path };
  }
  return undefined;
}
