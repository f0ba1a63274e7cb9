import { findStep, type Ledger, newestResult } from '../ledger/ledger.ts';
import type { Pipeline, Stage, Unit } from '../model/definition.ts';
import { parseStepName } from '../model/names.ts';
import { makerOf } from './outdated-steps.ts';
import { inOrderOfNeeds, stateSource } from './unit-order.ts';

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
