import type { Phase, Stage, Unit } from '../model/definition.ts';
import { isForOthers } from '../model/executor.ts';
import { stepName } from '../model/names.ts';
import { mediumPriority } from '../pipeline/units/fields.ts';
import { stepsBehindRefusals } from './behind-refusals.ts';
import { conflictIndex } from './conflicts.ts';
import type { Decision, Plan, StepPlan } from './plan.ts';

/** A cell that somebody outside may claim now. */
export interface Offer {
  readonly stage: Stage;
  readonly unit: Unit;
  readonly phase: Phase;
  readonly step: StepPlan;
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
 * then as listed. Nothing that would be made from a refused result is among it. Two units that touch the same are not worked on at once, unless one of them says that they may be.
 */
export function handOut(stages: readonly Stage[], plan: Plan): HandOut {
  const offers: Offer[] = [];
  const heldBack = new Map<string, readonly string[]>();
  const behind = stepsBehindRefusals(stages, plan);
  for (const stage of stages) {
    if (!stage.phases.some(isForOthers)) continue;
    const conflictsWith = conflictIndex(claimedUnits(stage, plan));
    for (const unit of stage.units) {
      const open = offersOf(stage, unit, plan).filter(
        ({ phase }) => !behind.has(stepName(unit.id, phase.name)),
      );
      if (open.length === 0) continue;
      const conflicts = conflictsWith(unit);
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

export function claimedUnits(stage: Stage, plan: Plan): Unit[] {
  return stage.units.filter(({ id }) =>
    plan.units.get(id)?.cells.some(({ decision }) => decision.do === 'claimed'),
  );
}

function offersOf(stage: Stage, unit: Unit, plan: Plan): Offer[] {
  const offers: Offer[] = [];
  for (const step of plan.units.get(unit.id)?.cells ?? []) {
    const phase = stage.phases.find(({ name }) => name === step.phase);
    if (phase !== undefined && isForOthers(phase) && step.decision.do === 'run')
      offers.push({ stage, unit, phase, step: step, decision: step.decision });
  }
  return offers;
}

function priorityOf({ unit }: Offer): number {
  return unit.priority ?? mediumPriority;
}

function isBegun({ unit }: Offer, plan: Plan): boolean {
  return plan.units.get(unit.id)?.cells.some(({ decision }) => decision.do === 'reuse') ?? false;
}
