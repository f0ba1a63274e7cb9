import type { Phase, Stage, Unit } from '../model/definition.ts';
import { type StepName, StepSet, stepName } from '../model/names.ts';
import type { Notice, Refusal } from '../model/reason.ts';
import { changeName } from '../model/refusal.ts';
import type { LoadedPipeline } from '../pipeline/loaded.ts';
import {
  type BlockedStep,
  outdatedBy,
  type Plan,
  type Scope,
  type SelectionCounts,
  type StepPlan,
  type UnitPlan,
} from './plan.ts';
import { type ChosenSteps, isOpen } from './rerun.ts';
import { isExcluded, phasesAfter, selectsPhase } from './selection.ts';
import { inOrderOfNeeds } from './unit-scope.ts';

/**
 * The selected steps with everything that they wait for: earlier phases, makers of their inputs, units that theirs
 * needs, the unit before in a chain, and the stages before theirs.
 */
function scopeOf({ pipeline }: LoadedPipeline, plan: Plan, chosen: ChosenSteps): Scope {
  const places = placesOf(pipeline.stages, plan);
  const { selection, isSelected } = chosen;
  const isLate = phasesAfter(pipeline, selection.until);
  const bar = (unit: string, phase: string): BlockedStep['because'] | undefined => {
    if (isSelected(unit, phase)) return undefined;
    if (selection.noDeps) return 'no-deps';
    if (isExcluded(selection.units, unit)) return 'excluded';
    return isLate(phase) ? 'until' : undefined;
  };
  const blocked = findBlocked(places, isSelected, bar);
  // Steps that no one asked for by name are only left out.
  const isExplicit =
    selection.failed ||
    selection.outdated ||
    [selection.units, selection.phases].some((names) => names?.included.length);
  const isMeant = (unit: string, phase: string) =>
    isSelected(unit, phase) && (isExplicit || !blocked.has(stepName(unit, phase)));
  const listers = findListers(pipeline.stages, chosen).filter(({ unit, phase }) => !bar(unit, phase));
  const needed = findNeeded(
    places,
    (unit, phase) => isSelected(unit, phase) && !blocked.has(stepName(unit, phase)),
    listers,
  );
  const isNeeded = (unit: string, phase: string) => needed.has(unit, phase) && !isMeant(unit, phase);
  return {
    isSelected: isMeant,
    isNeeded,
    isIn: (unit, phase) => isMeant(unit, phase) || needed.has(unit, phase),
    mayStart: (unit, phase) =>
      !blocked.has(stepName(unit, phase)) &&
      (isMeant(unit, phase) || (!selection.noDeps && needed.has(unit, phase))),
    blocked: isExplicit ? [...blocked.values()].filter(({ unit, phase }) => isMeant(unit, phase)) : [],
  };
}

/** The steps that list the units of later stages, where one of those units may be selected. */
function findListers(stages: readonly Stage[], { selection, limited }: ChosenSteps): StepRef[] {
  const { units, failed, outdated, limit } = selection;
  const ids = stages.flatMap((stage) => stage.units.map(({ id }) => id));
  const included = units?.included ?? [];
  const isAnyUnit = included.length === 0 || included.some(({ matches }) => !ids.some(matches));
  const isFull = limit !== undefined && limited !== undefined && limited.size >= limit;
  // A unit that no one knows yet has neither failed nor a result.
  if (!isAnyUnit || isFull || failed || outdated) return [];
  const isPhase = selectsPhase({ stages }, selection);
  return stages.flatMap(({ isOpen: isUnlisted, source, phases }) => {
    if (!isUnlisted || source === undefined || !phases.some(({ name }) => isPhase(name))) return [];
    const maker = stages.find((stage) => stage.phases.some(({ name }) => name === source.phase));
    return (maker?.units ?? []).map(({ id }) => ({ unit: id, phase: source.phase }));
  });
}

interface StepRef {
  readonly unit: string;
  readonly phase: string;
}

/** A unit in the order of planning, in which whatever it waits for comes before it. */
interface Place {
  readonly unit: Unit;
  readonly stage: Stage;
  readonly at: number;
  readonly steps: readonly StepPlan[];
  readonly hasEnded: boolean;
  /** Units that have to be finished before anything of this one starts. */
  readonly after: readonly string[];
  /** The unit that is listed before it. */
  readonly before: string | undefined;
}

function placesOf(stages: readonly Stage[], plan: Plan): Place[] {
  return stages.flatMap((stage, at) => {
    const ordered = inOrderOfNeeds(stage.units);
    return ordered.map((unit, position): Place => {
      const before = ordered[position - 1]?.id;
      const planned = plan.units.get(unit.id);
      const after = stage.order === 'chain' && before !== undefined ? [...unit.needs, before] : unit.needs;
      const { cells: steps = [], ended = false } = planned ?? {};
      return { unit, stage, at, steps: steps, hasEnded: ended, after, before };
    });
  });
}

/** The phases of the same unit that a phase waits for. */
function phasesBefore({ phases }: Stage, phase: Phase): readonly string[] {
  const at = phases.indexOf(phase);
  const makers = phase.inputs.flatMap((input) =>
    input.kind === 'artifact' ? input.from.map(({ phase: from }) => from) : [],
  );
  return [...phase.needs, ...makers].filter((name) => {
    const from = phases.findIndex((other) => other.name === name);
    return from !== -1 && from < at;
  });
}

/** Selected steps that wait for a step that may not start, by their name. */
function findBlocked(
  places: readonly Place[],
  isSelected: Scope['isSelected'],
  bar: (unit: string, phase: string) => BlockedStep['because'] | undefined,
): Map<StepName, BlockedStep> {
  type Missing = Pick<BlockedStep, 'by' | 'because'>;
  const blocked = new Map<StepName, BlockedStep>();
  const missing = new Map<StepName, Missing>();
  const ofUnit = new Map<string, Missing>();
  const ofStage: (Missing | undefined)[] = [];
  const first = <T>(items: readonly T[], find: (item: T) => Missing | undefined): Missing | undefined => {
    for (const item of items) {
      const found = find(item);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const makers = makersIn(places);
  for (const { unit, stage, at, steps, hasEnded, after, before } of places) {
    const outside =
      ofStage.slice(0, at).find((one) => one !== undefined) ?? first(after, (id) => ofUnit.get(id));
    for (const [index, phase] of stage.phases.entries()) {
      const step = steps[index];
      if (step === undefined || !isOpen(step)) continue;
      const name = stepName(unit.id, phase.name);
      const because = bar(unit.id, phase.name);
      const found =
        because === undefined
          ? (outside ??
            first(phasesBefore(stage, phase), (from) => missing.get(stepName(unit.id, from))) ??
            first(phase.inputs, (input) => {
              if (input.kind !== 'elsewhere') return undefined;
              if (input.of === 'previous') return before === undefined ? undefined : ofUnit.get(before);
              return first(makers(input.from.phase), (id) => missing.get(stepName(id, input.from.phase)));
            }))
          : { by: name, because };
      if (found === undefined) continue;
      missing.set(name, found);
      if (isSelected(unit.id, phase.name)) blocked.set(name, { unit: unit.id, phase: phase.name, ...found });
    }
    const own = hasEnded
      ? undefined
      : first(stage.phases, ({ name }) => missing.get(stepName(unit.id, name)));
    if (own === undefined) continue;
    ofUnit.set(unit.id, own);
    ofStage[at] ??= own;
  }
  return blocked;
}

/** The units that go through a phase. */
function makersIn(places: readonly Place[]): (phase: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (phase) => {
    let units = known.get(phase);
    if (units === undefined) {
      units = places.flatMap(({ unit, stage }) =>
        stage.phases.some(({ name }) => name === phase) ? [unit.id] : [],
      );
      known.set(phase, units);
    }
    return units;
  };
}

/** Everything that these steps wait for, in one pass from the last to the first. */
function findNeeded(
  places: readonly Place[],
  isWanted: Scope['isSelected'],
  listers: readonly StepRef[],
): StepSet {
  const needed = new StepSet();
  for (const { unit, phase } of listers) needed.add(unit, phase);
  const whole = new Set<string>();
  const makers = makersIn(places);
  let stagesBefore = 0;
  for (const { unit, stage, at, steps, after, before } of places.toReversed()) {
    const isWhole = whole.has(unit.id) || at < stagesBefore;
    for (const [index, phase] of [...stage.phases.entries()].toReversed()) {
      if (isWhole) needed.add(unit.id, phase.name);
      if (!isWhole && !needed.has(unit.id, phase.name) && !isWanted(unit.id, phase.name)) continue;
      for (const from of phasesBefore(stage, phase)) needed.add(unit.id, from);
      for (const input of phase.inputs) {
        if (input.kind !== 'elsewhere') continue;
        if (input.of !== 'previous')
          for (const id of makers(input.from.phase)) needed.add(id, input.from.phase);
        else if (before !== undefined) whole.add(before);
      }
      const step = steps[index];
      // What stands waits for no one.
      if (step === undefined || !isOpen(step)) continue;
      for (const id of after) whole.add(id);
      stagesBefore = Math.max(stagesBefore, at);
    }
  }
  return needed;
}

/**
 * The plan of an invocation that is about some steps. Every decision stays as it is: the scope says which may start.
 * Changes outside of it are reported and refuse nothing; a later invocation asks about them.
 */
export function planWithin(loaded: LoadedPipeline, plan: Plan, chosen: ChosenSteps | undefined): Plan {
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

/** Only the steps of the scope, to show or count what would be done. */
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
