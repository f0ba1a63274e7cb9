import { type StepName, stepName } from '../model/names.ts';
import type { OutdatedPart } from '../model/reason.ts';
import { outdatedBy, type Plan, standingResult } from './plan.ts';

/** The kept results of a plan that are outdated, and what was made from them. */
export interface OutdatedSteps {
  /** By step: what it was made from and is different now. */
  readonly kept: ReadonlyMap<StepName, readonly OutdatedPart[]>;
  /** Steps that are up to date themselves, and consumed a result that is outdated. */
  readonly byInput: ReadonlySet<StepName>;
}

/** Nearly always nothing is outdated: then no input is looked at. */
export function outdatedSteps(plan: Pick<Plan, 'units'>): OutdatedSteps {
  const kept = new Map<StepName, readonly OutdatedPart[]>();
  for (const { cells: steps } of plan.units.values())
    for (const { unit, phase, decision } of steps) {
      const parts = outdatedBy(decision);
      if (parts.length > 0) kept.set(stepName(unit, phase), parts);
    }
  return kept.size === 0 ? none : { kept, byInput: consumersOf(plan, kept) };
}

const none: OutdatedSteps = { kept: new Map(), byInput: new Set() };

function consumersOf(plan: Pick<Plan, 'units'>, kept: OutdatedSteps['kept']): Set<StepName> {
  const consumers = new Set<StepName>();
  for (const { cells: steps } of plan.units.values())
    for (const { unit, phase, decision } of steps) {
      const name = stepName(unit, phase);
      const refs = Object.values(standingResult(decision)?.inputs ?? {});
      if (!kept.has(name) && refs.some((ref) => kept.has(makerOf(unit, ref)))) consumers.add(name);
    }
  return consumers;
}

/** A reference is `PHASE#ATTEMPT HASH`, or `UNIT/PHASE#ATTEMPT HASH` where another unit made it. */
export function makerOf(unit: string, ref: string): StepName {
  const [maker = ''] = ref.split('#', 1);
  const at = maker.lastIndexOf('/');
  return at === -1 ? stepName(unit, maker) : stepName(maker.slice(0, at), maker.slice(at + 1));
}
