import type { Phase, Stage, Unit } from '../model/definition.ts';
import { isForOthers } from '../model/executor.ts';
import { stepName } from '../model/names.ts';
import { mediumPriority } from '../pipeline/units/fields.ts';
import type { Decision, Plan, StepPlan } from './plan.ts';

/** A step that an outside actor may claim now. */
export interface Offer {
  readonly stage: Stage;
  readonly unit: Unit;
  readonly phase: Phase;
  readonly step: StepPlan;
  /** `claimed`: another actor has it. */
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

/** What is asked of a unit to tell what it may be worked on beside. */
export type Toucher = Pick<Unit, 'id' | 'touches' | 'beside'>;

/** Units with a live claim that touch what this one touches. */
export function conflictsOf(unit: Toucher, claimed: readonly Toucher[]): string[] {
  if (unit.touches === undefined) return [];
  return claimed.filter((other) => other.id !== unit.id && doConflict(unit, other)).map(({ id }) => id);
}

/** Answers which of many units conflict with one: the same as `conflictsOf`, without comparing it with each of them. */
export function conflictIndex(units: readonly Toucher[]): (unit: Toucher) => string[] {
  const at = new Map<string, Toucher[]>();
  const below = new Map<string, Toucher[]>();
  const touching = units.filter(({ touches }) => touches !== undefined && touches.length > 0);
  for (const unit of touching) {
    for (const root of rootsOf(unit)) {
      add(at, root, unit);
      for (const folder of foldersAbove(root)) add(below, folder, unit);
    }
  }
  return (unit) => {
    const near = new Set<Toucher>();
    for (const root of rootsOf(unit)) {
      if (root === '') for (const other of touching) near.add(other);
      for (const there of ['', root, ...foldersAbove(root)])
        for (const other of at.get(there) ?? []) near.add(other);
      for (const other of below.get(root) ?? []) near.add(other);
    }
    return near.size === 0
      ? []
      : conflictsOf(
          unit,
          touching.filter((other) => near.has(other)),
        );
  };
}

function add(lists: Map<string, Toucher[]>, key: string, unit: Toucher): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [unit]);
  else list.push(unit);
}

function doConflict(a: Toucher, b: Toucher): boolean {
  if (a.beside?.includes(b.id) || b.beside?.includes(a.id)) return false;
  return a.touches?.some((path) => b.touches?.some((other) => doOverlap(path, other))) ?? false;
}

/** The same path, or a folder and something in it: `src/` and `src/a.ts`, `src/**` and `src/a.ts`. */
function doOverlap(a: string, b: string): boolean {
  const [one, two] = [rootOf(a), rootOf(b)];
  return one === two || two.startsWith(`${one}/`) || one.startsWith(`${two}/`) || one === '' || two === '';
}

function rootsOf({ touches = [] }: Toucher): Set<string> {
  return new Set(touches.map(rootOf));
}

/** The part of a path before the first wildcard. */
function rootOf(path: string): string {
  const wildcard = path.search(/[*?[{]/);
  const fixed = wildcard === -1 ? path : path.slice(0, path.lastIndexOf('/', wildcard) + 1);
  return normalised(fixed);
}

/** However it is written: `./src//a.ts`, `src/b/../a.ts`. */
function normalised(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}

function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let cut = path.indexOf('/'); cut !== -1; cut = path.indexOf('/', cut + 1))
    folders.push(path.slice(0, cut));
  return folders;
}

interface Place {
  readonly unit: string;
  readonly phase: string;
}

/**
 * Steps that would be made from the result of a refused step, directly or through others. A plan continues
 * past such a result, so that every refusal is named; work on it may be in vain, because a person has yet to
 * decide about it.
 */
function stepsBehindRefusals(stages: readonly Stage[], plan: Plan): ReadonlySet<string> {
  const behind = new Set<string>();
  if (plan.refusals.length === 0) return behind;
  const open: Place[] = [...plan.units.values()].flatMap(({ cells: steps }) =>
    steps.filter(({ decision }) => decision.do === 'refuse'),
  );
  const takersOf = takersIn(stages);
  for (let place = open.pop(); place !== undefined; place = open.pop())
    for (const taker of takersOf(place)) {
      const name = stepName(taker.unit, taker.phase);
      if (behind.has(name)) continue;
      behind.add(name);
      open.push(taker);
    }
  return behind;
}

/**
 * The direct consumers of a step: in its own unit, and in those that take its output from there. Units that
 * take it of every unit are named once, because thousands of steps may be refused at once.
 */
function takersIn(stages: readonly Stage[]): (place: Place) => Place[] {
  const named = new Set<string>();
  const all = stages.map(({ phases, units }) => {
    const places = new Map(units.map(({ id }, at) => [id, at]));
    return { phases, units, places };
  });
  return ({ unit, phase: from }) =>
    all.flatMap(({ phases, units, places }) => {
      const at = places.get(unit);
      return phases.flatMap((phase): Place[] => {
        const takers = at !== undefined && comesAfter(phase, from) ? [unit] : [];
        const after = at === undefined ? undefined : units[at + 1];
        if (after !== undefined && takesElsewhere(phase, from, 'previous')) takers.push(after.id);
        const key = stepName(phase.name, from);
        if (!named.has(key) && takesElsewhere(phase, from, 'every')) {
          named.add(key);
          takers.push(...units.map(({ id }) => id));
        }
        return takers.map((id) => ({ unit: id, phase: phase.name }));
      });
    });
}

function takesElsewhere({ inputs }: Phase, from: string, of: 'every' | 'previous'): boolean {
  return inputs.some((input) => input.kind === 'elsewhere' && input.of === of && input.from.phase === from);
}

function comesAfter({ needs, inputs }: Phase, from: string): boolean {
  return (
    needs.includes(from) ||
    inputs.some((input) => input.kind === 'artifact' && input.from.some(({ phase }) => phase === from))
  );
}
