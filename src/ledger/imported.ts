import type { PageImported } from '../model/event.ts';
import type { Ledger } from './ledger.ts';
import { takeStep } from './take-cell.ts';

/** The part of a page that no result says. The newest page of a unit counts. */
export function foldImport(ledger: Ledger, { type: _, ...page }: PageImported): void {
  ledger.imported = [...ledger.imported.filter(({ unit }) => unit !== page.unit), page];
  const { unit, partial, handed = {}, failures = {} } = page;
  for (const [phase, count] of Object.entries(failures)) {
    const step = takeStep(ledger, unit, phase);
    step.failures = Math.max(step.failures, count);
  }
  // The run has made no attempt there, so the first one is handed them.
  for (const [phase, outputs] of Object.entries(handed)) takeStep(ledger, unit, phase).placed ??= outputs;
  if (partial === undefined) return;
  const step = takeStep(ledger, unit, partial.phase);
  // The attempt that left these files was another tool's: it counts as the first, and was cut off.
  step.attempts = Math.max(step.attempts, 1);
  if (step.placed !== undefined) return;
  step.placed = partial.outputs;
  step.promoted = 1;
}

/** What was imported of a unit; undefined: nothing was. */
export function importedPage({ imported }: Ledger, unit: string): Ledger['imported'][number] | undefined {
  return imported.length === 0 ? undefined : imported.find((page) => page.unit === unit);
}
