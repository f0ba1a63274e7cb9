import type { Stage, Unit } from '../model/definition.ts';

/** A unit may be listed before those that it needs, but it is planned after them. */
export function inOrderOfNeeds(units: readonly Unit[]): readonly Unit[] {
  if (units.every(({ needs }) => needs.length === 0)) return units;
  const byId = new Map(units.map((unit) => [unit.id, unit]));
  const ordered = new Set<Unit>();
  for (const first of units) {
    // Not by recursion: a line of needs may be as long as there are units.
    const path = [{ unit: first, asked: 0 }];
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const need = step.unit.needs[step.asked++];
      const needed = need === undefined ? undefined : byId.get(need);
      if (need === undefined) {
        ordered.add(step.unit);
        path.pop();
      } else if (needed !== undefined && !ordered.has(needed)) path.push({ unit: needed, asked: 0 });
    }
  }
  return [...ordered];
}

/**
 * The unit whose state one starts from: the last that could commit a state, in its stage or before it. Undefined: it
 * starts from the initial state. `before`: the unit before it in a chain.
 */
export function stateSource(
  stages: readonly Stage[],
  stage: Stage,
  before: Unit | undefined,
): Unit | undefined {
  let last = before;
  for (let at = stages.indexOf(stage); at >= 0; at--) {
    const isCommitted = stages[at]?.phases.some((phase) => phase.state === 'write');
    if (last !== undefined && isCommitted) return last;
    last = stages[at - 1]?.units.at(-1);
  }
  return undefined;
}
