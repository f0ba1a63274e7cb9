import type { Hash } from '../base/hash.ts';
import { findStep, type Ledger, type StepResult } from '../ledger/ledger.ts';
import type { Stage, StateSpec, Unit } from '../model/definition.ts';
import type { PreState } from '../model/event.ts';
import { parseStepName, stepName } from '../model/names.ts';
import type { Notice, Refusal } from '../model/reason.ts';
import type { LoadedPipeline } from '../pipeline/loaded.ts';
import { nearBudgets, reachedLimits } from './budget.ts';
import { withQuestion } from './changes.ts';
import { once, type PlanContext, planContext, type StageShape } from './context.ts';
import type { Facts } from './facts.ts';
import { compareManifest } from './manifest-change.ts';
import { changedCodeKept, changedSourceNotices, manifestNotices, paceNotices } from './notices.ts';
import type { Decision, Plan, UnitPlan } from './plan.ts';
import { planUnit, type Surroundings } from './unit.ts';
import { inOrderOfNeeds, stateSource } from './unit-scope.ts';

/** The plan of a whole run: pure, so that looking and running decide alike. */
export function planRun(loaded: LoadedPipeline, ledger: Ledger, facts: Facts): Plan {
  const context = planContext(loaded, ledger, facts);
  return planOf(context, planUnits(context).units);
}

/** The plans of some units, for a question about these. */
export interface UnitPlans {
  readonly units: ReadonlyMap<string, UnitPlan>;
  /** A stage that they depend on, and that too little is known of to say whether it is finished: they are not final. */
  readonly undecided: Stage | undefined;
}

/**
 * The plans of all units; or of those in a scope, which holds whatever their decisions depend on or is known. A unit is
 * planned in the same way in both cases. `known`: the plans of the other units.
 */
export function planUnits(
  context: PlanContext,
  scope?: ReadonlySet<string>,
  known?: ReadonlyMap<string, UnitPlan>,
): UnitPlans {
  const units = new Map(known);
  const { stages } = context.loaded.pipeline;
  let undecided: Stage | undefined;
  stages.forEach((stage, at) => {
    // Only for a unit that has something to start, because it takes a look at every unit of the stages before.
    const barrier = once((): readonly string[] => {
      for (const earlier of stages.slice(0, at).reverse()) {
        if (earlier.isOpen || earlier.units.some(({ id }) => units.get(id)?.ended === false))
          return [`stage ${earlier.name}`];
        if (earlier.units.every(({ id }) => units.has(id))) continue;
        undecided ??= earlier;
        return none;
      }
      return none;
    });
    planStage(context, stage, barrier, units, scope);
  });
  return { units, undecided };
}

const none: readonly never[] = [];

/** The plan after an attempt at a step of this unit has started: that lets no other unit start, and keeps none from it. */
export function planAfterStart(
  { loaded, ledger, facts }: Pick<PlanContext, 'loaded' | 'ledger' | 'facts'>,
  { units }: Pick<Plan, 'units'>,
  unit: string,
): Plan {
  const context = planContext(loaded, ledger, facts);
  return planOf(context, planUnits(context, new Set([unit]), units).units);
}

/** What the plans of all units come to, in their order. */
export function planOf(context: PlanContext, units: ReadonlyMap<string, UnitPlan>): Plan {
  const manifest = compareManifest(context, units);
  const refusals: Refusal[] = [...manifest.refusals];
  const notices: Notice[] = [...manifest.notices];
  let finished = !context.loaded.pipeline.stages.some(({ isOpen }) => isOpen);
  for (const plan of units.values()) {
    for (const refusal of plan.refusals) {
      // A changed manifest says it all; that phases are defined otherwise is only what follows from it.
      if (manifest.refusals.length === 0 || refusal.guard !== 'definition-changed')
        refusals.push(withQuestion(context, refusal));
    }
    notices.push(...plan.notices);
    finished &&= plan.ended;
  }
  refusals.push(...editedState(context, units));
  // Whose units are listed while the run goes on may yet list them again.
  if (!context.loaded.pipeline.stages.some(({ isOpen }) => isOpen))
    notices.push(...removedUnits(context.ledger, units));
  if (!finished) notices.push(...changedSourceNotices(context.loaded, context.ledger, units));
  notices.push(...changedCodeKept(context.loaded, context.ledger, units));
  if (!finished) notices.push(...paceNotices(context.ledger, context.loaded.pipeline));
  notices.push(...manifestNotices(context.loaded.pipeline));
  notices.push(...filesInTheWay(context, units));
  const { strays = [], unlisted = [] } = context.facts;
  if (strays.length > 0) notices.push({ code: 'files-without-unit', paths: strays });
  // Later on the units are known, and so is what became of the files.
  if (unlisted.length > 0 && context.loaded.pipeline.stages.some(({ isOpen }) => isOpen))
    notices.push({ code: 'files-unlisted', paths: unlisted });
  notices.push(...nearBudgets(context.loaded.pipeline, context.ledger));
  const limits = reachedLimits(context.loaded.pipeline, context.ledger, context.facts.now);
  return { units, refusals, notices, limits, finished: finished && refusals.length === 0 };
}

function planStage(
  context: PlanContext,
  stage: Stage,
  barrier: () => readonly string[],
  units: Map<string, UnitPlan>,
  scope: ReadonlySet<string> | undefined,
): void {
  const shape = stageShape(context, stage);
  const ordered = inOrderOfNeeds(stage.units);
  ordered.forEach((unit, at) => {
    if (scope?.has(unit.id) === false) return;
    // A chain is listed in its order, and its units need none that come later.
    const around = surroundings(context, stage, unit, ordered[at - 1], barrier, units);
    units.set(unit.id, planUnit(context, shape, unit, around));
  });
  if (ordered === stage.units) return;
  for (const { id } of stage.units) {
    const plan = units.get(id);
    if (plan === undefined) continue;
    units.delete(id);
    units.set(id, plan);
  }
}

/** What the units and stages before it say to a unit. */
export function surroundings(
  context: PlanContext,
  stage: Stage,
  unit: Unit,
  before: Unit | undefined,
  barrier: () => readonly string[],
  units: ReadonlyMap<string, UnitPlan>,
): Surroundings {
  const chained = stage.order === 'chain' ? before : undefined;
  const blockedBy = once(() => {
    const blocking = [...barrier()];
    for (const need of unit.needs) if (!isDone(units, need)) blocking.push(need);
    if (chained !== undefined && !isDone(units, chained.id)) blocking.push(chained.id);
    return blocking;
  });
  const { state } = context.loaded.pipeline;
  return {
    blockedBy,
    before,
    units,
    startState: state === undefined ? undefined : startState(context, state, stage, chained, units),
  };
}

export function stageShape(context: PlanContext, stage: Stage): StageShape {
  const shape = context.shapes.get(stage.name);
  if (shape === undefined) throw new Error(`no stage ${stage.name}`);
  return shape;
}

/** The newest state that the chain has committed: what the state's own path should show. */
export function newestState(
  context: PlanContext,
  units: ReadonlyMap<string, UnitPlan>,
): PreState | undefined {
  const { state } = context.loaded.pipeline;
  if (state === undefined) return undefined;
  let newest = initialState(context, state);
  for (const plan of units.values()) newest = plan.state ?? newest;
  return newest;
}

function isDone(units: ReadonlyMap<string, UnitPlan>, unit: string): boolean {
  return units.get(unit)?.ended === true;
}

/** What the last unit that could commit a state has committed; undefined: it has not. */
function startState(
  context: PlanContext,
  spec: StateSpec,
  stage: Stage,
  before: Unit | undefined,
  units: ReadonlyMap<string, UnitPlan>,
): PreState | undefined {
  const source = stateSource(context.loaded.pipeline.stages, stage, before);
  return source === undefined ? initialState(context, spec) : units.get(source.id)?.state;
}

function initialState(context: PlanContext, spec: StateSpec): PreState | undefined {
  const hash = context.facts.state?.initial;
  return hash === undefined ? undefined : { hash, path: spec.initial };
}

/**
 * The shown state is Pawl's when it is the newest one, or the one that the last owner left there. After a
 * crash it may also be behind: any state that was ever committed.
 */
function editedState(context: PlanContext, units: ReadonlyMap<string, UnitPlan>): Refusal[] {
  const { ledger, facts, loaded } = context;
  const { state } = loaded.pipeline;
  const shown = facts.state?.shown;
  // Before its first attempt a run has shown nothing: the file is the user's, and is moved to `aside/`.
  if (state === undefined || shown === undefined || ledger.steps.byUnit.size === 0) return [];
  const newest = newestState(context, units);
  if (newest === undefined || newest.hash === shown.hash || shown.hash === ledger.shownState) return [];
  if ((ledger.ended === undefined || ledger.shownState === undefined) && wasCommitted(context, shown.hash))
    return [];
  if (isEditedAlike(units, shown.hash)) return [];
  const unit = newest.from?.split('#')[0] ?? '';
  const edit = { unit, path: state.path, before: newest.hash, after: shown.hash };
  const { writtenBy } = facts.state ?? {};
  return [{ guard: 'state-edited', ...edit, ...(writtenBy !== undefined && { writtenBy }) }];
}

/** One edit of the last committed state in both of its places leads to one question. */
function isEditedAlike(units: ReadonlyMap<string, UnitPlan>, shown: Hash): boolean {
  let after: Hash | undefined;
  for (const { state, refusals } of units.values()) {
    if (state !== undefined) after = undefined;
    for (const refusal of refusals)
      if (refusal.guard === 'output-edited' && refusal.output === 'state') after = refusal.after;
  }
  return after === shown;
}

function wasCommitted({ ledger, facts }: PlanContext, hash: Hash): boolean {
  if (hash === facts.state?.initial) return true;
  for (const { placed, former, results, running } of ledger.steps.values()) {
    // The initial state may be another file since; what attempts started from was shown by this run.
    if (running?.preState?.hash === hash) return true;
    if (results.some((result) => result && isStart(result, hash))) return true;
    if (placed?.state !== undefined && (placed.state.hash === hash || former.includes(hash))) return true;
  }
  return false;
}

function isStart({ preState, kept }: StepResult, hash: Hash): boolean {
  return preState?.hash === hash || kept?.made.preState?.hash === hash;
}

/** Files at output paths where their step has made nothing yet; those that Pawl wrote are counted by their writer. */
function filesInTheWay({ ledger, facts }: PlanContext, units: ReadonlyMap<string, UnitPlan>): Notice[] {
  const unknown: Notice[] = [];
  const written = new Map<string, { origin: WrittenBy; paths: string[] }>();
  for (const { origin, ...file } of facts.unknown) {
    const placed = findStep(ledger, file.unit, file.phase)?.placed;
    // It may have been adopted since the facts were gathered.
    if (placed?.[file.output]?.path === file.path || origin.kind === 'claim') continue;
    // What the step itself has written there earlier is replaced, and not moved.
    const isOwn = origin.kind === 'step' && origin.step === stepName(file.unit, file.phase);
    if (isOwn && origin.isAdopted === undefined) continue;
    if (!mayRun(units.get(file.unit), file.phase)) continue;
    if (origin.kind === 'unknown')
      unknown.push({ code: 'file-unknown', ...file, ...(ledger.run === undefined && { newRun: true }) });
    else {
      const by: WrittenBy = origin.kind === 'run' ? { run: origin.run } : { phase: phaseOf(origin.step) };
      const key = by.run ?? `/${by.phase}`;
      const group = written.get(key) ?? { origin: by, paths: [] };
      written.set(key, group);
      group.paths.push(file.path);
    }
  }
  const groups = [...written.values()];
  const isNamed = new Set(facts.unknown.map(({ path }) => path));
  const replaced = (facts.inTheWay ?? [])
    .filter(({ unit, phase }) => decisionOn(units.get(unit), phase) === 'restore')
    .filter(({ path }) => !isNamed.has(path))
    .map(({ path }) => path);
  return [
    ...unknown,
    ...(replaced.length > 0 ? [{ code: 'files-replaced', paths: replaced } as const] : []),
    ...groups.map(({ origin, paths }): Notice => ({ code: 'files-written', ...origin, paths })),
  ];
}

/** A step that is done by another tool's word, or skipped, moves nothing. */
function mayRun(plan: UnitPlan | undefined, phase: string): boolean {
  const last = decisionOn(plan, phase);
  return last !== 'reuse' && last !== 'skip';
}

function decisionOn(plan: UnitPlan | undefined, phase: string): Decision['do'] | undefined {
  return plan?.cells.findLast((one) => one.phase === phase)?.decision.do;
}

type WrittenBy = Pick<Extract<Notice, { code: 'files-written' }>, 'run' | 'phase'>;

function phaseOf(step: string): string {
  return parseStepName(step)?.phase ?? step;
}

function removedUnits(ledger: Ledger, units: ReadonlyMap<string, UnitPlan>): Notice[] {
  const removed = new Set<string>();
  for (const step of ledger.steps.values()) if (!units.has(step.unit)) removed.add(step.unit);
  return [...removed].map((unit) => ({ code: 'unit-removed', unit }));
}
