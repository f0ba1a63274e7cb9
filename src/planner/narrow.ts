import { changeName } from '../model/change-name.ts';
import { stepName } from '../model/names.ts';
import type { Notice, Refusal } from '../model/reason.ts';
import type { LoadedPipeline } from '../pipeline/loaded.ts';
import { type Chosen, isOpen } from './chosen.ts';
import { outdatedBy, type Plan, type Scope, type SelectionCounts, type UnitPlan } from './plan.ts';
import { scopeOf } from './scope.ts';

/**
 * The plan of an invocation that is about some steps. Every decision stays as it is: the scope says which may start.
 * Changes outside of it are reported and refuse nothing; a later invocation asks about them.
 */
export function planWithin(loaded: LoadedPipeline, plan: Plan, chosen: Chosen | undefined): Plan {
  if (chosen === undefined) return plan;
  const scope = scopeOf(loaded, plan, chosen);
  const isInside = (refusal: Refusal) =>
    chosen.unnarrowed?.has(refusal.guard) === true || concerns(loaded, scope, plan, refusal);
  const refusals = plan.refusals.filter(isInside);
  const outside = plan.refusals.filter((refusal) => !isInside(refusal));
  return {
    ...plan,
    scope,
    refusals,
    units: outside.length === 0 ? plan.units : narrowUnits(plan.units, isInside),
    notices: [...plan.notices, ...changedOutside(outside)],
  };
}

function narrowUnits(
  units: Plan['units'],
  isInside: (refusal: Refusal) => boolean,
): ReadonlyMap<string, UnitPlan> {
  const narrowed = new Map(units);
  for (const [id, plan] of units)
    if (plan.refusals.length > 0) narrowed.set(id, { ...plan, refusals: plan.refusals.filter(isInside) });
  return narrowed;
}

/** What is about no one step concerns the scope where a part of it does. */
function concerns(loaded: LoadedPipeline, scope: Scope, { units }: Plan, refusal: Refusal): boolean {
  const isAny = (isMeant: (unit: string, phase: string) => boolean) =>
    [...units.values()].some(({ unit, cells: steps }) =>
      steps.some(({ phase }) => scope.isIn(unit, phase) && isMeant(unit, phase)),
    );
  if (refusal.guard === 'manifest-changed')
    return refusal.names.some((name) => {
      const [, kind, part = ''] = /^(units|phases)\.(.*)$/.exec(name) ?? [];
      return kind === undefined || isAny((unit, phase) => (kind === 'units' ? unit : phase) === part);
    });
  if (refusal.guard === 'state-edited') {
    const phases = loaded.pipeline.stages.flatMap((stage) => stage.phases);
    const takers = new Set(phases.filter(({ state }) => state !== 'none').map(({ name }) => name));
    return isAny((_, phase) => takers.has(phase));
  }
  return scope.isIn(refusal.unit, refusal.phase);
}

function changedOutside(refusals: readonly Refusal[]): Notice[] {
  if (refusals.length === 0) return [];
  const changes = [...new Set(refusals.flatMap(changeName))];
  const steps = new Set(refusals.map((one) => ('phase' in one ? stepName(one.unit, one.phase) : one.guard)));
  return [{ code: 'changed-outside', changes, steps: steps.size }];
}

/** Only the steps of the scope, for whoever shows or counts what would be done. */
export function insideScope(plan: Plan): Plan {
  const { scope } = plan;
  if (scope === undefined) return plan;
  const units = new Map<string, UnitPlan>();
  for (const [id, unit] of plan.units) {
    const steps = unit.cells.filter(({ phase }) => scope.isIn(id, phase));
    if (steps.length > 0) units.set(id, { ...unit, cells: steps });
  }
  return { ...plan, units };
}

/** How far the selected steps are; undefined: nothing was selected, so all are. */
export function selectionCounts({ units, scope }: Plan): SelectionCounts | undefined {
  if (scope === undefined) return undefined;
  const needed: string[] = [];
  let selected = 0;
  let done = 0;
  let outdated = 0;
  let left = 0;
  for (const { unit, cells: steps } of units.values())
    for (const step of steps) {
      const isDone = !isOpen(step) && step.decision.do !== 'restore';
      if (scope.isSelected(unit, step.phase)) {
        selected += 1;
        if (isDone) done += 1;
        if (isDone && outdatedBy(step.decision).length > 0) outdated += 1;
      } else if (!isDone) {
        left += 1;
        if (scope.isNeeded(unit, step.phase)) needed.push(stepName(unit, step.phase));
      }
    }
  const kept = outdated === 0 ? {} : { outdated };
  return { selected, done, ...kept, needed, blocked: scope.blocked, left };
}
