import type { Phase, Stage } from '../model/definition.ts';
import { stepName } from '../model/names.ts';
import type { Plan } from './plan.ts';

interface Place {
  readonly unit: string;
  readonly phase: string;
}

/**
 * Cells that would be made from the result of a refused cell, directly or through others. A plan goes on past such a
 * result, so that every refusal is named; work on it may be in vain, because a person has yet to say what becomes of it.
 */
export function stepsBehindRefusals(stages: readonly Stage[], plan: Plan): ReadonlySet<string> {
  const behind = new Set<string>();
  if (plan.refusals.length === 0) return behind;
  const open: Place[] = [...plan.units.values()].flatMap(({ cells: steps }) =>
    steps.filter(({ decision }) => decision.do === 'refuse'),
  );
  const takersOf = takersIn(stages);
  for (let place = open.pop(); place !== undefined; place = open.pop())
    for (const taker of takersOf(place)) {
      const name = stepName(taker.unit, taker.phase);
      if (behind.has(name)) continue;
      behind.add(name);
      open.push(taker);
    }
  return behind;
}

/**
 * What comes right after a cell: in its own unit, and in those that take its output from there. Units that take it of
 * every unit are named once, because thousands of cells may be refused at once.
 */
function takersIn(stages: readonly Stage[]): (place: Place) => Place[] {
  const named = new Set<string>();
  const all = stages.map(({ phases, units }) => {
    const places = new Map(units.map(({ id }, at) => [id, at]));
    return { phases, units, places };
  });
  return ({ unit, phase: from }) =>
    all.flatMap(({ phases, units, places }) => {
      const at = places.get(unit);
      return phases.flatMap((phase): Place[] => {
        const takers = at !== undefined && comesAfter(phase, from) ? [unit] : [];
        const after = at === undefined ? undefined : units[at + 1];
        if (after !== undefined && takesElsewhere(phase, from, 'previous')) takers.push(after.id);
        const key = stepName(phase.name, from);
        if (!named.has(key) && takesElsewhere(phase, from, 'every')) {
          named.add(key);
          takers.push(...units.map(({ id }) => id));
        }
        return takers.map((id) => ({ unit: id, phase: phase.name }));
      });
    });
}

function takesElsewhere({ inputs }: Phase, from: string, of: 'every' | 'previous'): boolean {
  return inputs.some((input) => input.kind === 'elsewhere' && input.of === of && input.from.phase === from);
}

function comesAfter({ needs, inputs }: Phase, from: string): boolean {
  return (
    needs.includes(from) ||
    inputs.some((input) => input.kind === 'artifact' && input.from.some(({ phase }) => phase === from))
  );
}
