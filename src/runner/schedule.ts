import { formatTime, parseTime } from '../base/clock.ts';
import { exact, knownSpending, wholeRun } from '../ledger/spent.ts';
import { isCallFailure } from '../model/attempt-failure.ts';
import { modelName } from '../model/calls.ts';
import type { Phase, Stage, Unit } from '../model/definition.ts';
import { asksModel, isForOthers } from '../model/executor.ts';
import { StepSet } from '../model/names.ts';
import { inRound } from '../pipeline/phases/gates.ts';
import { type ComingUp, reachedLimits, type SpendingUnderWay } from '../planner/budget.ts';
import { type PlanContext, planContext, type StageShape } from '../planner/context.ts';
import type { Plan, Scope, StepPlan, UnitPlan } from '../planner/plan.ts';
import { stageShape, surroundings } from '../planner/run.ts';
import { planUnit } from '../planner/unit.ts';
import type { ReadyStep } from './attempts/attempt.ts';
import type { AttemptOutcome } from './attempts/run-attempt.ts';
import type { InvocationSpending, RunContext } from './context.ts';
import type { PreparedCall } from './executors/assignment.ts';
import { RateLimits } from './rate-limits.ts';
import { Reservations } from './reservations.ts';

interface Place {
  readonly stage: number;
  readonly unit: Unit;
  readonly before: Unit | undefined;
}

/**
 * Which steps can be started now, kept true as steps end: only the unit of the step that ended is planned again, and the
 * units that waited for it when it is finished. So a step costs the same at any number of units.
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
  readonly #claimed = new StepSet();
  readonly #restores = new Set<string>();
  /** Steps of units that were not begun, and of units that were, which go first. The next one is the last of its list. */
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

  /** The next step to start; it is not offered again before `ended`. */
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

  /** A step ended; `again: false` leaves it alone for this invocation. Returns whether its unit is now finished. */
  ended(unit: string, phase: string, options: { again: boolean }): boolean {
    if (options.again) this.#claimed.delete(unit, phase);
    return this.#settle(unit, this.#begun);
  }

  /** Plans a unit again, and the units that waited for it. */
  #settle(unit: string, own: ReadyStep[]): boolean {
    const wasFinished = this.#isFinished(unit);
    // Grows during the loop, because a unit that waited may be finished without running anything.
    const changed = [unit];
    const opened: ReadyStep[] = [];
    for (const one of changed) {
      if (!this.#replan(one, one === unit ? own : opened)) continue;
      for (const waiting of this.#waitingFor(one)) changed.push(waiting);
    }
    for (const step of opened.reverse()) this.#fresh.push(step);
    return !wasFinished && this.#isFinished(unit);
  }

  /** Units whose new plan restores files; each is returned once. */
  takeRestores(): string[] {
    if (this.#restores.size === 0) return [];
    const units = [...this.#restores];
    this.#restores.clear();
    return units;
  }

  /** Plans a unit again of which nothing ran. Returns whether it is now finished. */
  replan(unit: string): boolean {
    return this.#settle(unit, this.#begun);
  }

  /** Returns whether the unit has ended and had not before. */
  #replan(unit: string, to: ReadyStep[]): boolean {
    const place = this.#places.get(unit);
    if (place === undefined) throw new Error(`no unit ${unit}`);
    const stage = this.#stages[place.stage] as Stage;
    const shape: StageShape = stageShape(this.context, stage);
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

  /** Units that a finished unit unblocks: those that name it, and after the last of a stage those that wait for the stage. */
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
    for (const step of plan.cells) {
      if (step.decision.do !== 'run' || this.scope?.mayStart(step.unit, step.phase) === false) continue;
      if (this.#claimed.has(step.unit, step.phase) || isForOthers(this.#phaseOf(step))) continue;
      this.#claimed.add(step.unit, step.phase);
      to.push(this.#step(step, step.decision));
    }
  }

  #phaseOf({ unit, phase }: StepPlan): Phase {
    const place = this.#places.get(unit);
    return this.#stages[place?.stage ?? 0]?.phases.find(({ name }) => name === phase) as Phase;
  }

  #step(step: StepPlan, decision: StepPlan['decision'] & { do: 'run' }): ReadyStep {
    return {
      unit: this.#places.get(step.unit)?.unit as Unit,
      phase: inRound(this.#phaseOf(step), step.iteration),
      round: step.iteration,
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

/** Calls of a model were given up for this invocation. */
export interface Halt {
  /** `PROVIDER/MODEL`. */
  readonly model: string;
  /** What its last call came to. */
  readonly failure: string;
}

/**
 * What may start now: nothing past a limit or a budget, no call over a rate limit, and no step before the end of its pause.
 */
export class Starts {
  readonly #run: RunContext;
  readonly #schedule: Schedule;
  readonly #rateLimits: RateLimits;
  /** Taken, and not on record yet: a limit counts these as well. */
  readonly #preparing = new Map<string, number>();
  readonly #reservations: Reservations;
  /** How many attempts a budget has room for, as observers know it. */
  #narrowedTo: number | undefined;
  /** Units with a paused step, and until when. */
  readonly #paused = new Map<string, number>();
  readonly halts: Halt[] = [];
  #isHalted = false;

  constructor(run: RunContext, schedule: Schedule) {
    const { pipeline } = run.loaded;
    this.#run = run;
    this.#schedule = schedule;
    this.#rateLimits = new RateLimits(pipeline.models, run.clock);
    this.#reservations = new Reservations(pipeline, run.ledger, run.spendLimit !== undefined);
    for (const plan of schedule.plans.values()) this.#notePauses(plan);
    this.#closeRateLimits(pipeline.stages);
  }

  next(): ReadyStep | undefined {
    this.#wakeUnits();
    if (this.#isHalted) return undefined;
    if (this.#isLimited()) {
      this.#noteNarrow();
      return undefined;
    }
    const step = this.#rateLimits.take(this.#schedule);
    if (step === undefined) return undefined;
    const { name } = step.phase;
    this.#preparing.set(name, this.#countPreparing(name) + 1);
    this.#reservations.take(step);
    this.#rateLimits.started(step);
    // So that the next narrowing is reported again.
    if (this.#reservations.count > (this.#narrowedTo ?? Number.POSITIVE_INFINITY))
      this.#narrowedTo = undefined;
    return step;
  }

  /** Its start is on record. */
  begun(step: ReadyStep, call: PreparedCall | undefined): void {
    const { name } = step.phase;
    this.#preparing.set(name, this.#countPreparing(name) - 1);
    this.#reservations.begun(step, call);
  }

  /** `again`: it is tried once more in this invocation. */
  ended(step: ReadyStep, outcome: AttemptOutcome, again: boolean): void {
    this.#reservations.release(step);
    const { phase } = step;
    if (!asksModel(phase)) return;
    const failure = outcome.kind === 'failed' ? outcome.failure.reason : undefined;
    const tokens = 'tokens' in outcome ? outcome.tokens : 0;
    const isRetried = again && failure !== undefined && isCallFailure(failure);
    this.#rateLimits.ended(step, { tokens, isGivenUp: isGivenUp(outcome, again), isRetried });
    if (outcome.kind === 'paused')
      this.#rateLimits.closeUntil(step, parseTime(outcome.until) ?? this.#run.clock.now());
    if (failure === 'not-authorized' || failure === 'provider-missing') this.#isHalted = true;
    if (failure === 'model-unknown') this.#rateLimits.giveUp(step);
    if (failure === undefined || !(this.#isHalted || this.#rateLimits.isGivenUp(step))) return;
    const model = modelName(phase.executor);
    if (this.halts.every((halt) => halt.model !== model)) this.halts.push({ model, failure });
  }

  /** Nothing more will start in this invocation, however its running attempts end. */
  get isOver(): boolean {
    if (this.#isHalted || this.#isSpent(this.#reservations.atBest(wholeRun))) return true;
    return this.#isReached((phase) => this.#reservations.atBest(phase), false);
  }

  /** A unit was planned again: it may have to wait now. */
  planned(plan: UnitPlan | undefined): void {
    if (plan !== undefined) this.#notePauses(plan);
  }

  /** When something may start that may not now; undefined: nothing will that is worth waiting for. */
  opensAt(): number | undefined {
    if (this.#isHalted || this.#isLimited()) return undefined;
    const { clock, loaded, waits } = this.#run;
    const patience = waits ? Number.POSITIVE_INFINITY : clock.now() + loaded.pipeline.pace.waitMs;
    const times = [...this.#paused.values()].filter((until) => until <= patience);
    const limits = this.#rateLimits.opensAt(patience);
    if (limits !== undefined) times.push(limits);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** What this invocation has spent; undefined: it has no limit. */
  get spending(): InvocationSpending | undefined {
    const { spendLimit } = this.#run;
    if (spendLimit === undefined) return undefined;
    const usd = exact(knownSpending(this.#run.ledger) - spendLimit.before);
    const isReached = usd >= spendLimit.maxUsd && (this.#schedule.hasNext || this.#rateLimits.hasNext);
    return { maxUsd: spendLimit.maxUsd, usd, isReached };
  }

  /** With these calls under way the invocation has spent what it may. */
  #isSpent({ usd }: SpendingUnderWay): boolean {
    const { spendLimit, ledger } = this.#run;
    return (
      spendLimit !== undefined && exact(knownSpending(ledger) - spendLimit.before + usd) >= spendLimit.maxUsd
    );
  }

  #isLimited(): boolean {
    // What the next one may cost is compared with all that is reserved, so that has to be known first.
    if (this.#reservations.isUnknown) return true;
    if (this.#isSpent(this.#reservations.spending(wholeRun))) return true;
    return this.#isReached((phase) => this.#reservations.spending(phase), true);
  }

  #isReached(spending: ComingUp['spending'], withPreparing: boolean): boolean {
    const { loaded, ledger, facts } = this.#run;
    const attempts = (phase: string) => (withPreparing ? this.#countPreparing(phase) : 0);
    return reachedLimits(loaded.pipeline, ledger, facts.now, { attempts, spending }).length > 0;
  }

  /** What is reserved leaves no room for another attempt, though the budget is not used up. */
  #noteNarrow(): void {
    const { count, isUnknown } = this.#reservations;
    if (isUnknown || count === 0 || count === this.#narrowedTo || this.isOver) return;
    if (!this.#schedule.hasNext && !this.#rateLimits.hasNext) return;
    this.#run.observe({ type: 'budget-narrowed', atOnce: count, isFirst: this.#narrowedTo === undefined });
    this.#narrowedTo = count;
  }

  #countPreparing(phase: string): number {
    return this.#preparing.get(phase) ?? 0;
  }

  #notePauses({ unit, cells: steps }: UnitPlan): void {
    const waits = pausesOf(steps);
    if (waits.length === 0) this.#paused.delete(unit);
    else this.#paused.set(unit, Math.min(...waits));
  }

  /** What a provider has asked for in an earlier invocation holds for all that would ask the same model. */
  #closeRateLimits(stages: readonly Stage[]): void {
    if (this.#paused.size === 0) return;
    for (const { phases } of stages) {
      for (const phase of phases) {
        const waits = [...this.#paused.keys()].flatMap((unit) => {
          const step = this.#schedule.plans.get(unit)?.cells.find((one) => one.phase === phase.name);
          return step === undefined ? [] : pausesOf([step]);
        });
        if (waits.length > 0) this.#rateLimits.closeUntil({ phase }, Math.max(...waits));
      }
    }
  }

  /** Plans units again whose pause is over. */
  #wakeUnits(): void {
    if (this.#paused.size === 0) return;
    const now = this.#run.clock.now();
    const due = [...this.#paused].filter(([, until]) => until <= now);
    if (due.length === 0) return;
    this.#run.facts.now = formatTime(now);
    for (const [unit] of due) {
      this.#paused.delete(unit);
      this.#schedule.replan(unit);
      this.planned(this.#schedule.plans.get(unit));
    }
  }
}

/** An answer that is of no use is one all the same; a provider that asks to wait has said nothing. */
function isGivenUp(outcome: AttemptOutcome, again: boolean): boolean | undefined {
  if (outcome.kind === 'succeeded') return false;
  if (outcome.kind !== 'failed') return undefined;
  if (!isCallFailure(outcome.failure.reason)) return false;
  return again ? undefined : true;
}

/** Until when each of these waits. */
function pausesOf(steps: readonly StepPlan[]): number[] {
  return steps.flatMap(({ decision }) =>
    decision.do === 'stop' && decision.why.code === 'paused' ? [parseTime(decision.why.until) ?? 0] : [],
  );
}
