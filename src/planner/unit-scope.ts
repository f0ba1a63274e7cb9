import { findStep, type Ledger, newestResult } from '../ledger/ledger.ts';
import type { Pipeline, Stage, Unit } from '../model/definition.ts';
import { parseStepName, type StepName, stepName } from '../model/names.ts';
import type { OutdatedPart } from '../model/reason.ts';
import { outdatedBy, type Plan, standingResult } from './plan.ts';

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
function makerOf(unit: string, ref: string): StepName {
  const [maker = ''] = ref.split('#', 1);
  const at = maker.lastIndexOf('/');
  return at === -1 ? stepName(unit, maker) : stepName(maker.slice(0, at), maker.slice(at + 1));
}

/** The units that a question is about, with those that their decisions depend on. */
export interface UnitScope {
  readonly units: ReadonlySet<string>;
  /** Stages that were added unit by unit first, because one unfinished unit says enough. */
  readonly tried: ReadonlySet<string>;
}

/** Units that the pipeline does not list are left out. */
export function unitScope(pipeline: Pipeline, ledger: Ledger, asked: Iterable<string>): UnitScope {
  return { units: withDependencies(pipeline, ledger, asked), tried: new Set() };
}

/** The same with as much of an earlier stage as tells whether that stage is finished. */
export function widenScope(
  pipeline: Pipeline,
  ledger: Ledger,
  { units, tried }: UnitScope,
  stage: Stage,
): UnitScope {
  const last = stage.phases.at(-1)?.name ?? '';
  const hasNoResult = ({ id }: Unit) => {
    const step = findStep(ledger, id, last);
    return step === undefined || newestResult(step) === undefined;
  };
  const unfinished = tried.has(stage.name) ? undefined : stage.units.findLast(hasNoResult);
  const more = unfinished === undefined ? stage.units : [unfinished];
  return {
    units: withDependencies(pipeline, ledger, [...units, ...more.map(({ id }) => id)]),
    tried: new Set([...tried, stage.name]),
  };
}

interface Place {
  readonly unit: Unit;
  readonly stage: Stage;
  /** The unit that is planned before it. */
  readonly before: Unit | undefined;
}

/** Not by recursion: a chain may be as long as there are units. */
function withDependencies(pipeline: Pipeline, ledger: Ledger, asked: Iterable<string>): ReadonlySet<string> {
  const { stages } = pipeline;
  const places = placesOf(stages);
  const found = new Set<string>();
  const whole = new Set<Stage>();
  const open = [...asked];
  const addMakers = (phase: string) => {
    const maker = stages.find(({ phases }) => phases.some(({ name }) => name === phase));
    // Once for all units that take from it, because both may be many.
    if (maker === undefined || whole.has(maker)) return;
    whole.add(maker);
    for (const { id } of maker.units) open.push(id);
  };
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const place = places.get(id);
    if (place === undefined || found.has(id)) continue;
    found.add(id);
    const { unit, stage, before } = place;
    for (const need of unit.needs) open.push(need);
    const chained = stage.order === 'chain' ? before : undefined;
    if (chained !== undefined) open.push(chained.id);
    const source = pipeline.state && stateSource(stages, stage, chained);
    if (source !== undefined) open.push(source.id);
    for (const { inputs } of stage.phases)
      for (const input of inputs) {
        if (input.kind !== 'elsewhere') continue;
        if (input.of !== 'previous') addMakers(input.from.phase);
        else if (before !== undefined) open.push(before.id);
      }
    for (const maker of recordedMakers(ledger, id)) open.push(maker);
  }
  return found;
}

function placesOf(stages: readonly Stage[]): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  for (const stage of stages) {
    const ordered = inOrderOfNeeds(stage.units);
    ordered.forEach((unit, at) => {
      places.set(unit.id, { unit, stage, before: ordered[at - 1] });
    });
  }
  return places;
}

/** Units whose outputs its results were made from, also where the manifest no longer says so: one may be outdated. */
function recordedMakers(ledger: Ledger, unit: string): Set<string> {
  const makers = new Set<string>();
  for (const { results } of ledger.steps.byUnit.get(unit) ?? [])
    for (const result of results)
      for (const ref of Object.values(result?.inputs ?? {}))
        makers.add(parseStepName(makerOf(unit, ref))?.unit ?? unit);
  makers.delete(unit);
  return makers;
}
