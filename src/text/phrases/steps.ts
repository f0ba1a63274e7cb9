import { byCodeUnit } from '../../base/json.ts';
import { plain } from '../style/plain.ts';
import { count, list } from '../style/words.ts';

export interface StepRef {
  readonly unit: string;
  readonly phase: string;
}

/** Many steps in few words: `write, repair and lint of 6 units`. Units with the same phases form one group. */
export function stepList(steps: readonly StepRef[]): string {
  const phasesOfUnit = new Map<string, Set<string>>();
  for (const { unit, phase } of steps) {
    const phases = phasesOfUnit.get(unit);
    if (phases === undefined) phasesOfUnit.set(unit, new Set([phase]));
    else phases.add(phase);
  }
  const unitsOfPhases = new Map<string, string[]>();
  for (const [unit, phases] of phasesOfUnit) {
    const key = [...phases].map(plain).join('\n');
    const units = unitsOfPhases.get(key);
    if (units === undefined) unitsOfPhases.set(key, [unit]);
    else units.push(unit);
  }
  const groups = [...unitsOfPhases].map(([key, units]) => ({ phases: key.split('\n'), units }));
  // The widest effect first.
  groups.sort((a, b) => b.units.length - a.units.length || byCodeUnit(a.units[0] ?? '', b.units[0] ?? ''));
  const shown = groups
    .slice(0, groupsMax)
    .map(({ phases, units }) => `${list(phases)} of ${unitList(units)}`);
  const rest = groups.slice(groupsMax).reduce((units, group) => units + group.units.length, 0);
  if (rest > 0) shown.push(`more of ${count(rest, 'other unit')}`);
  return shown.join('; ');
}

/** Few units by name, many by number. */
export function unitList(units: readonly string[]): string {
  return units.length <= namedUnitsMax ? list(units.map(plain)) : count(units.length, 'unit');
}

const groupsMax = 4;
const namedUnitsMax = 3;
