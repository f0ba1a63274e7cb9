import { findStep, type Ledger, standingFailure } from '../ledger/ledger.ts';
import type { Pipeline } from '../model/definition.ts';
import type { EventBody } from '../model/event.ts';
import { StepSet, stepName } from '../model/names.ts';
import { asksOf, type GuardName, type OutdatedPart } from '../model/reason.ts';
import type { LoadedPipeline } from '../pipeline/loaded.ts';
import { rerunOutdated } from './answered.ts';
import { type OverrideSite, type RerunRequest, type StepOf, superseded, used } from './overrides.ts';
import { isMade, isSettled, type Plan, type Scope, type StepPlan } from './plan.ts';
import { isNamed, type Selection, selectsPhase } from './selection.ts';
import { outdatedSteps } from './unit-scope.ts';

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
export function rerunEvents({ loaded, ledger, plan }: OverrideSite, asked: RerunRequest): EventBody[] {
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

/**
 * The steps that a selection means. State filters (failed, outdated, the first units with work left) are
 * decided once, so a step that finishes meanwhile stays selected.
 */
export interface ChosenSteps {
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
  before?: ChosenSteps,
): ChosenSteps {
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
function isFailedStep(ledger: Ledger, { unit, phase, decision }: StepPlan): boolean {
  if (decision.do === 'run') {
    const step = findStep(ledger, unit, phase);
    return step !== undefined && step.running === undefined && standingFailure(step) !== undefined;
  }
  if (decision.do !== 'stop') return false;
  const { why } = decision;
  return why.code !== 'blocked' && why.code !== 'paused' && asksOf(why) === undefined;
}

/** Selected steps that failed get a new set of attempts, and gates that were given up a new set of rounds. */
export function retryFailed(site: OverrideSite, reason: string | undefined): EventBody[] {
  const events: EventBody[] = [];
  for (const { cells: steps } of site.plan.units.values())
    for (const step of steps)
      if (isSelected(site, step.unit, step.phase) && isFailedStep(site.ledger, step))
        events.push(...retried(site, step, reason));
  if (events.length === 0) return [];
  return [used('rerun-requested', '--failed', reason, { steps: events.length }), ...events];
}

function retried(
  site: OverrideSite,
  { unit, phase, iteration: round, decision }: StepPlan,
  reason: string | undefined,
): EventBody[] {
  if (decision.do === 'stop' && decision.why.code === 'checkpoint-rejected') return [];
  if (decision.do === 'stop' && decision.why.code === 'gate-limit')
    return loopOf(site, phase).map((name) =>
      superseded({ unit, phase: name }, 'rerun-requested', { reason }),
    );
  return [superseded({ unit, phase }, 'rerun-requested', { round: round, reason })];
}

/** The phases from the one that a gate goes back to, up to the gate. */
function loopOf({ loaded }: OverrideSite, gate: string): readonly string[] {
  for (const { phases } of loaded.pipeline.stages) {
    const end = phases.findIndex(({ name }) => name === gate);
    const head = phases.findIndex(({ name }) => name === phases[end]?.gate?.backTo);
    if (end !== -1 && head !== -1) return phases.slice(head, end + 1).map(({ name }) => name);
  }
  return [gate];
}

/** Selected results that are kept as outdated run again. Without its template a step cannot: its result stays. */
export function rerunSelected(site: OverrideSite, reason: string | undefined): EventBody[] {
  const isMeant = (part: OutdatedPart) =>
    isSelected(site, part.unit, part.phase) && !(part.guard === 'prompt-changed' && part.after === undefined);
  return rerunOutdated(site, isMeant, reason, '--outdated');
}

function isSelected({ plan }: OverrideSite, unit: string, phase: string): boolean {
  return plan.scope?.isSelected(unit, phase) ?? true;
}
