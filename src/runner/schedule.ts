import { CellSet } from '../model/cell-set.ts';
import type { Phase, Stage, Unit } from '../model/definition.ts';
import { isForOthers } from '../model/executor.ts';
import { inRound } from '../pipeline/phases/ladder.ts';
import { type PlanContext, planContext, type StageShape } from '../planner/context.ts';
import type { CellPlan, Plan, Scope, UnitPlan } from '../planner/plan.ts';
import { shapeOf, surroundings } from '../planner/run.ts';
import { planUnit } from '../planner/unit.ts';
import type { ReadyStep } from './attempt.ts';
import type { RunContext } from './context.ts';

interface Place {
  readonly stage: number;
  readonly unit: Unit;
  readonly before: Unit | undefined;
}

/**
 * Which cells can be started now, kept true as cells end: only the unit of the cell that ended is planned anew,
 * and those that waited for the unit when it is finished. So a step costs the same at any number of units.
 */
export class Schedule {
  readonly context: PlanContext;
  readonly plans: Map<string, UnitPlan>;
  /** Which steps the invocation is about; undefined: all. */
  readonly scope: Scope | undefined;
  readonly #stages: readonly Stage[];
  readonly #places = new Map<string, Place>();
  readonly #waiting = new Map<string, string[]>();
  /** By stage: later ones that take what its units make. */
  readonly #takers: readonly (readonly Stage[])[];
  readonly #unfinished: number[];
  readonly #claimed = new CellSet();
  readonly #restores = new Set<string>();
  /** Units that were not begun yet; and units to go on with, which are finished first. The next one stands last. */
  readonly #fresh: ReadyStep[] = [];
  readonly #begun: ReadyStep[] = [];

  constructor(run: RunContext, plan: Plan) {
    this.context = planContext(run.loaded, run.ledger, run.facts);
    this.plans = new Map(plan.units);
    this.scope = plan.scope;
    this.#stages = run.loaded.pipeline.stages;
    this.#takers = this.#stages.map((stage, at) =>
      this.#stages.slice(at + 1).filter((later) => takesFrom(later, stage)),
    );
    this.#unfinished = this.#stages.map(
      ({ units, isOpen }) => units.filter((unit) => !this.#hasEnded(unit.id)).length + (isOpen ? 1 : 0),
    );
    this.#stages.forEach((stage, at) => {
      stage.units.forEach((unit, position) => {
        const before = stage.units[position - 1];
        this.#places.set(unit.id, { stage: at, unit, before });
        for (const need of unit.needs) this.#waitFor(need, unit.id);
        const isNext = stage.order === 'chain' || takesPrevious(stage);
        if (isNext && before !== undefined) this.#waitFor(before.id, unit.id);
      });
    });
    for (const unit of this.plans.values()) this.#offer(unit, this.#fresh);
    this.#fresh.reverse();
  }

  /** The next cell to start; it is not offered again before `ended`. */
  take(): ReadyStep | undefined {
    return this.takeBegun() ?? this.#fresh.pop();
  }

  /** The same, of a unit that was begun. */
  takeBegun(): ReadyStep | undefined {
    return this.#begun.pop();
  }

  /** Whether `take` has something to give. */
  get hasNext(): boolean {
    return this.#begun.length + this.#fresh.length > 0;
  }

  /** A cell ended; `again: false` leaves it alone for this sitting. Tells whether its unit is now finished. */
  ended(unit: string, phase: string, options: { again: boolean }): boolean {
    if (options.again) this.#claimed.delete(unit, phase);
    return this.#settle(unit, this.#begun);
  }

  /** Plans a unit anew, and whoever waited for it. */
  #settle(unit: string, own: ReadyStep[]): boolean {
    const wasFinished = this.#isFinished(unit);
    // Grows while it is gone through: whoever waited may be finished without having to run anything.
    const changed = [unit];
    const opened: ReadyStep[] = [];
    for (const one of changed) {
      if (!this.#replan(one, one === unit ? own : opened)) continue;
      for (const waiting of this.#waitingFor(one)) changed.push(waiting);
    }
    for (const step of opened.reverse()) this.#fresh.push(step);
    return !wasFinished && this.#isFinished(unit);
  }

  /** Units whose plan has changed and wants files to be put back; each is told once. */
  takeRestores(): string[] {
    if (this.#restores.size === 0) return [];
    const units = [...this.#restores];
    this.#restores.clear();
    return units;
  }

  /** A unit is looked at again, without anything of it having run. Tells whether it is now finished. */
  replan(unit: string): boolean {
    return this.#settle(unit, this.#begun);
  }

  /** Tells whether the unit has ended and had not before. */
  #replan(unit: string, to: ReadyStep[]): boolean {
    const place = this.#places.get(unit);
    if (place === undefined) throw new Error(`no unit ${unit}`);
    const stage = this.#stages[place.stage] as Stage;
    const shape: StageShape = shapeOf(this.context, stage);
    const open = this.#unfinished.slice(0, place.stage).findLastIndex((count) => count > 0);
    const barrier = open === -1 ? [] : [`stage ${this.#stages[open]?.name}`];
    const around = surroundings(this.context, stage, place.unit, place.before, () => barrier, this.plans);
    const plan = planUnit(this.context, shape, place.unit, around);
    const hadEnded = this.#hasEnded(unit);
    this.plans.set(unit, plan);
    if (plan.cells.some(({ decision }) => decision.do === 'restore')) this.#restores.add(unit);
    this.#offer(plan, to);
    if (plan.ended === hadEnded) return false;
    this.#unfinished[place.stage] = (this.#unfinished[place.stage] ?? 0) + (plan.ended ? -1 : 1);
    return plan.ended;
  }

  /** What a finished unit lets go on: those that name it, and when it was the last of its stage what waits for that. */
  #waitingFor(unit: string): readonly string[] {
    const named = this.#waiting.get(unit) ?? [];
    const at = this.#places.get(unit)?.stage ?? 0;
    if ((this.#unfinished[at] ?? 0) > 0) return named;
    const stages = new Set(this.#takers[at]);
    const open = this.#unfinished.findIndex((count) => count > 0);
    const next = open > at ? this.#stages[open] : undefined;
    if (next !== undefined) stages.add(next);
    return [...named, ...[...stages].flatMap(({ units }) => units.map(({ id }) => id))];
  }

  #offer(plan: UnitPlan, to: ReadyStep[]): void {
    for (const cell of plan.cells) {
      if (cell.decision.do !== 'run' || this.scope?.mayStart(cell.unit, cell.phase) === false) continue;
      if (this.#claimed.has(cell.unit, cell.phase) || isForOthers(this.#phaseOf(cell))) continue;
      this.#claimed.add(cell.unit, cell.phase);
      to.push(this.#step(cell, cell.decision));
    }
  }

  #phaseOf({ unit, phase }: CellPlan): Phase {
    const place = this.#places.get(unit);
    return this.#stages[place?.stage ?? 0]?.phases.find(({ name }) => name === phase) as Phase;
  }

  #step(cell: CellPlan, decision: CellPlan['decision'] & { do: 'run' }): ReadyStep {
    return {
      unit: this.#places.get(cell.unit)?.unit as Unit,
      phase: inRound(this.#phaseOf(cell), cell.iteration),
      iteration: cell.iteration,
      why: decision.why,
      made: decision.made,
    };
  }

  #isFinished(unit: string): boolean {
    return this.plans.get(unit)?.finished === true;
  }

  #hasEnded(unit: string): boolean {
    return this.plans.get(unit)?.ended === true;
  }

  #waitFor(unit: string, waiting: string): void {
    const list = this.#waiting.get(unit);
    if (list === undefined) this.#waiting.set(unit, [waiting]);
    else list.push(waiting);
  }
}

/** Its units go one after the other although their order is free: each takes what the one before has made. */
function takesPrevious({ phases }: Stage): boolean {
  return phases.some(({ inputs }) =>
    inputs.some((input) => input.kind === 'elsewhere' && input.of === 'previous'),
  );
}

function takesFrom({ phases }: Stage, earlier: Stage): boolean {
  const makes = (phase: string) => earlier.phases.some(({ name }) => name === phase);
  return phases.some(({ inputs }) =>
    inputs.some((input) => input.kind === 'elsewhere' && makes(input.from.phase)),
  );
}
