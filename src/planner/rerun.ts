import type { EventBody } from '../model/event.ts';
import type { LoadedPipeline } from '../pipeline/loaded.ts';
import { type Site, type StepOf, superseded, used } from './opening.ts';
import type { RerunRequest } from './overrides.ts';
import type { Scope } from './plan.ts';

/**
 * The phase that was named and every later one, of the units that were named. Once the scope is known, only of units with
 * a selected step, because what no one selected must not be paid again.
 */
export function discardedBy(
  { pipeline }: LoadedPipeline,
  { from, units }: RerunRequest,
  scope?: Scope,
): (step: StepOf) => boolean {
  const isDiscarded = fromPhaseOn(pipeline, from);
  const isSelected = scope && selectsUnit(pipeline, scope);
  return ({ unit, phase }) => isDiscarded(phase) && (units?.(unit) ?? true) && (isSelected?.(unit) ?? true);
}

/** Whether a step of a unit is selected. Of a unit that is not listed any more every phase may be one of its own. */
function selectsUnit({ stages }: LoadedPipeline['pipeline'], scope: Scope): (unit: string) => boolean {
  const all = stages.flatMap(({ phases }) => phases);
  const own = new Map(stages.flatMap(({ units, phases }) => units.map(({ id }) => [id, phases] as const)));
  const known = new Map<string, boolean>();
  return (unit) => {
    let isSelected = known.get(unit);
    if (isSelected === undefined) {
      isSelected = (own.get(unit) ?? all).some(({ name }) => scope.isSelected(unit, name));
      known.set(unit, isSelected);
    }
    return isSelected;
  };
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
export function rerunEvents({ loaded, ledger, plan }: Site, asked: RerunRequest): EventBody[] {
  const steps = [...ledger.steps.values()].filter(discardedBy(loaded, asked, plan.scope));
  if (steps.length === 0) return [];
  const flag = asked.from === undefined ? '--rerun-all' : '--rerun-from';
  return [
    used('rerun-requested', flag, asked.reason, { from: asked.from ?? '', cells: steps.length }),
    ...steps.map((step) => rerun(step, asked.reason)),
  ];
}

/** A person wants it made again. */
export function rerun(step: StepOf, reason?: string): EventBody {
  return superseded(step, 'rerun-requested', { reason });
}
