import { type CellName, cellName } from '../model/names.ts';
import type { OutdatedPart } from '../model/reason.ts';
import { outdatedBy, type Plan, standingResult } from './plan.ts';

/** The kept results of a plan that are outdated, and what was made from them. */
export interface OutdatedSteps {
  /** By step: what it was made from and is different now. */
  readonly kept: ReadonlyMap<CellName, readonly OutdatedPart[]>;
  /** Steps that are up to date themselves, and consumed a result that is outdated. */
  readonly byInput: ReadonlySet<CellName>;
}

/** Nearly always nothing is outdated: then no input is looked at. */
export function outdatedSteps(plan: Pick<Plan, 'units'>): OutdatedSteps {
  const kept = new Map<CellName, readonly OutdatedPart[]>();
  for (const { cells } of plan.units.values())
    for (const { unit, phase, decision } of cells) {
      const parts = outdatedBy(decision);
      if (parts.length > 0) kept.set(cellName(unit, phase), parts);
    }
  return kept.size === 0 ? none : { kept, byInput: consumersOf(plan, kept) };
}

const none: OutdatedSteps = { kept: new Map(), byInput: new Set() };

function consumersOf(plan: Pick<Plan, 'units'>, kept: OutdatedSteps['kept']): Set<CellName> {
  const consumers = new Set<CellName>();
  for (const { cells } of plan.units.values())
    for (const { unit, phase, decision } of cells) {
      const name = cellName(unit, phase);
      const refs = Object.values(standingResult(decision)?.inputs ?? {});
      if (!kept.has(name) && refs.some((ref) => kept.has(makerOf(unit, ref)))) consumers.add(name);
    }
  return consumers;
}

/** A reference is `PHASE#ATTEMPT HASH`, or `UNIT/PHASE#ATTEMPT HASH` where another unit made it. */
export function makerOf(unit: string, ref: string): CellName {
  const [maker = ''] = ref.split('#', 1);
  const at = maker.lastIndexOf('/');
  return at === -1 ? cellName(unit, maker) : cellName(maker.slice(0, at), maker.slice(at + 1));
}
