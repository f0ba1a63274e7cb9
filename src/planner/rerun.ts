import type { EventBody } from '../model/event.ts';
import type { LoadedPipeline } from '../pipeline/loaded.ts';
import { type CellOf, type Site, superseded, used } from './opening.ts';
import type { RerunRequest } from './overrides.ts';

/** The phase that was named and every later one, of the units that were named. */
export function discardedBy(
  { pipeline }: LoadedPipeline,
  { from, units }: RerunRequest,
): (cell: CellOf) => boolean {
  const isDiscarded = fromPhaseOn(pipeline, from);
  return ({ unit, phase }) => isDiscarded(phase) && (units === undefined || units(unit));
}

/** Whether a phase is the one that was named or a later one; all are where none was. */
export function fromPhaseOn(
  { stages }: LoadedPipeline['pipeline'],
  from: string | undefined,
): (phase: string) => boolean {
  if (from === undefined) return () => true;
  const phases = stages.flatMap((stage) => stage.phases.map(({ name }) => name));
  const discarded = new Set(phases.slice(phases.indexOf(from)));
  return (phase) => discarded.has(phase);
}

/** Everything that a rerun discards, whether or not something refuses it. */
export function rerunEvents({ loaded, ledger }: Site, asked: RerunRequest): EventBody[] {
  const cells = [...ledger.cells.values()].filter(discardedBy(loaded, asked));
  if (cells.length === 0) return [];
  const flag = asked.from === undefined ? '--rerun-all' : '--rerun-from';
  return [
    used('rerun-requested', flag, asked.reason, { from: asked.from ?? '', cells: cells.length }),
    ...cells.map((cell) => rerun(cell, asked.reason)),
  ];
}

/** A person wants it made again. */
export function rerun(cell: CellOf, reason?: string): EventBody {
  return superseded(cell, 'rerun-requested', { reason });
}
