import { findStep, type Ledger, standingFailure } from '../ledger/ledger.ts';
import { StepSet } from '../model/cell-set.ts';
import type { Pipeline } from '../model/definition.ts';
import { stepName } from '../model/names.ts';
import { asksOf, type GuardName } from '../model/reason.ts';
import { outdatedSteps } from './outdated-steps.ts';
import { isMade, isSettled, type Plan, type StepPlan } from './plan.ts';
import { isNamed, type Selection, selectsPhase } from './selection.ts';

/**
 * The steps that a selection means. What hangs on their state (failed, outdated, the first units with something left to
 * do) is decided once: a step that is done meanwhile stays selected.
 */
export interface Chosen {
  readonly selection: Selection;
  isSelected(unit: string, phase: string): boolean;
  /** What `--failed` and `--outdated` let through; undefined: all. */
  readonly byState: ((unit: string, phase: string) => boolean) | undefined;
  /** The units that `--limit` lets through; undefined: all. */
  readonly limited: ReadonlySet<string> | undefined;
  /** Guards that are asked about every step, whichever are selected; absent: none. */
  readonly unnarrowed?: ReadonlySet<GuardName>;
}

export function chooseSteps(
  pipeline: Pick<Pipeline, 'stages'>,
  ledger: Ledger,
  plan: Pick<Plan, 'units'>,
  selection: Selection,
  /** What a rerun that was asked for discards: there is work in these, too. */
  isDiscarded: (step: { readonly unit: string; readonly phase: string }) => boolean = () => false,
  /** What was chosen before another stage listed its units. */
  before?: Chosen,
): Chosen {
  const isPhase = selectsPhase(pipeline, selection);
  const byState = before === undefined ? stateFilter(ledger, plan, selection) : before.byState;
  const isMeant = (unit: string, phase: string) =>
    isPhase(phase) && isNamed(selection.units, unit) && (byState?.(unit, phase) ?? true);
  const limited = selection.limit === undefined ? undefined : firstUnits(selection.limit);
  return {
    selection,
    isSelected: (unit, phase) => (limited?.has(unit) ?? true) && isMeant(unit, phase),
    byState,
    limited,
  };

  function firstUnits(limit: number): ReadonlySet<string> {
    const first = new Set(before?.limited);
    for (const { unit, cells: steps } of plan.units.values()) {
      if (first.size >= limit) break;
      const hasWork = steps.some(
        (step) =>
          isMeant(unit, step.phase) &&
          (!isSettled(step.decision) || isDiscarded({ unit, phase: step.phase }) || isKept(step)),
      );
      if (hasWork) first.add(unit);
    }
    return first;
  }

  function isKept({ unit, phase }: StepPlan): boolean {
    return selection.outdated && byState?.(unit, phase) === true;
  }
}

/** It has no result that stands. */
export function isOpen({ decision }: StepPlan): boolean {
  return !isMade(decision);
}

/** Undefined: the state of a step does not matter. */
function stateFilter(
  ledger: Ledger,
  plan: Pick<Plan, 'units'>,
  { failed, outdated }: Selection,
): ((unit: string, phase: string) => boolean) | undefined {
  if (!failed && !outdated) return undefined;
  const steps = new StepSet();
  const kept = outdated ? outdatedSteps(plan) : undefined;
  for (const { unit, cells } of plan.units.values())
    for (const step of cells) {
      const name = stepName(unit, step.phase);
      const isOutdated = kept !== undefined && (kept.kept.has(name) || kept.byInput.has(name));
      if (isOutdated || (failed && isFailedStep(ledger, step))) steps.add(unit, step.phase);
    }
  return (unit, phase) => steps.has(unit, phase);
}

/** Its last attempt failed, or its attempts or rounds are used up, and no person is asked about it. */
export function isFailedStep(ledger: Ledger, { unit, phase, decision }: StepPlan): boolean {
  if (decision.do === 'run') {
    const step = findStep(ledger, unit, phase);
    return step !== undefined && step.running === undefined && standingFailure(step) !== undefined;
  }
  if (decision.do !== 'stop') return false;
  const { why } = decision;
  return why.code !== 'blocked' && why.code !== 'paused' && asksOf(why) === undefined;
}
