import type { Phase, Stage, Unit } from '../model/definition.ts';
import { mediumPriority } from '../pipeline/item-fields.ts';
import type { CellPlan, Decision, Plan } from './plan.ts';

/** A cell that somebody outside may claim now. */
export interface Offer {
  readonly stage: Stage;
  readonly unit: Unit;
  readonly phase: Phase;
  readonly cell: CellPlan;
  /** `claimed`: it is somebody's already. */
  readonly decision: Extract<Decision, { do: 'run' | 'claimed' }>;
}

export interface HandOut {
  /** The first one is to be handed out first. */
  readonly offers: readonly Offer[];
  /** Ready, but they touch what claimed units touch: these. */
  readonly heldBack: ReadonlyMap<string, readonly string[]>;
}

/**
 * What can be claimed, in the order in which it is handed out: by priority, then what was begun before what was not,
 * then as listed. Two units that touch the same are not worked on at once, unless one of them says that they may be.
 */
export function handOut(stages: readonly Stage[], plan: Plan): HandOut {
  const offers: Offer[] = [];
  const heldBack = new Map<string, readonly string[]>();
  for (const stage of stages) {
    if (!stage.phases.some(({ executor }) => executor.kind === 'agent')) continue;
    const claimed = claimedUnits(stage, plan);
    for (const unit of stage.units) {
      const open = offersOf(stage, unit, plan);
      if (open.length === 0) continue;
      const conflicts = conflictsOf(unit, claimed);
      if (conflicts.length > 0) heldBack.set(unit.id, conflicts);
      else offers.push(...open);
    }
  }
  const order = new Map(offers.map((offer, at) => [offer, at]));
  offers.sort(
    (a, b) =>
      priorityOf(a) - priorityOf(b) ||
      Number(isBegun(b, plan)) - Number(isBegun(a, plan)) ||
      (order.get(a) ?? 0) - (order.get(b) ?? 0),
  );
  return { offers, heldBack };
}

/** Units with a live claim that touch what this one touches. */
export function conflictsOf(unit: Unit, claimed: readonly Unit[]): string[] {
  if (unit.touches === undefined) return [];
  return claimed.filter((other) => other.id !== unit.id && doConflict(unit, other)).map(({ id }) => id);
}

export function claimedUnits(stage: Stage, plan: Plan): Unit[] {
  return stage.units.filter(({ id }) =>
    plan.units.get(id)?.cells.some(({ decision }) => decision.do === 'claimed'),
  );
}

function offersOf(stage: Stage, unit: Unit, plan: Plan): Offer[] {
  const offers: Offer[] = [];
  for (const cell of plan.units.get(unit.id)?.cells ?? []) {
    const phase = stage.phases.find(({ name }) => name === cell.phase);
    if (phase?.executor.kind === 'agent' && cell.decision.do === 'run')
      offers.push({ stage, unit, phase, cell, decision: cell.decision });
  }
  return offers;
}

function doConflict(a: Unit, b: Unit): boolean {
  if (a.beside?.includes(b.id) || b.beside?.includes(a.id)) return false;
  return a.touches?.some((path) => b.touches?.some((other) => doOverlap(path, other))) ?? false;
}

/** The same path, or a folder and something in it: `src/` and `src/a.ts`, `src/**` and `src/a.ts`. */
function doOverlap(a: string, b: string): boolean {
  const [one, two] = [rootOf(a), rootOf(b)];
  return one === two || two.startsWith(`${one}/`) || one.startsWith(`${two}/`) || one === '' || two === '';
}

/** The part of a path before the first wildcard. */
function rootOf(path: string): string {
  const wildcard = path.search(/[*?[{]/);
  const fixed = wildcard === -1 ? path : path.slice(0, path.lastIndexOf('/', wildcard) + 1);
  return fixed.replace(/^\.\//, '').replace(/\/+$/, '');
}

function priorityOf({ unit }: Offer): number {
  return unit.priority ?? mediumPriority;
}

function isBegun({ unit }: Offer, plan: Plan): boolean {
  return plan.units.get(unit.id)?.cells.some(({ decision }) => decision.do === 'reuse') ?? false;
}
