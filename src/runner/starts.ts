import { formatTime, parseTime } from '../base/clock.ts';
import { exact, knownSpending, wholeRun } from '../ledger/spent.ts';
import { isCallFailure } from '../model/attempt-failure.ts';
import { modelName } from '../model/calls.ts';
import type { Stage } from '../model/definition.ts';
import { asksModel } from '../model/executor.ts';
import type { UnderWay } from '../planner/budget.ts';
import { type ComingUp, reachedLimits } from '../planner/limits.ts';
import type { CellPlan, UnitPlan } from '../planner/plan.ts';
import type { ReadyStep } from './attempt.ts';
import type { InvocationSpending, RunContext } from './context.ts';
import { Lanes } from './lanes.ts';
import type { PreparedCall } from './models/prepared-call.ts';
import { Reservations } from './reservations.ts';
import type { Schedule } from './schedule.ts';
import type { AttemptOutcome } from './worker.ts';

/** Calls of a model were given up for this sitting. */
export interface Halt {
  /** `PROVIDER/MODEL`. */
  readonly model: string;
  /** What its last call came to. */
  readonly failure: string;
}

/**
 * What may start now: nothing past a limit or a budget, no call that its provider has no room for, and no cell before the
 * time that it has to wait for.
 */
export class Starts {
  readonly #run: RunContext;
  readonly #schedule: Schedule;
  readonly #lanes: Lanes;
  /** Taken, and not on record yet: a limit counts these as well. */
  readonly #preparing = new Map<string, number>();
  readonly #reservations: Reservations;
  /** How many attempts a budget has room for, as observers know it. */
  #narrowedTo: number | undefined;
  /** Units with a cell that waits, and until when. */
  readonly #paused = new Map<string, number>();
  readonly halts: Halt[] = [];
  #isHalted = false;

  constructor(run: RunContext, schedule: Schedule) {
    const { pipeline } = run.loaded;
    this.#run = run;
    this.#schedule = schedule;
    this.#lanes = new Lanes(pipeline.models, run.clock);
    this.#reservations = new Reservations(pipeline, run.ledger, run.spendLimit !== undefined);
    for (const plan of schedule.plans.values()) this.#notePauses(plan);
    this.#closeLanes(pipeline.stages);
  }

  next(): ReadyStep | undefined {
    this.#wakeUnits();
    if (this.#isHalted) return undefined;
    if (this.#isLimited()) {
      this.#noteNarrow();
      return undefined;
    }
    const step = this.#lanes.take(this.#schedule);
    if (step === undefined) return undefined;
    const { name } = step.phase;
    this.#preparing.set(name, this.#countPreparing(name) + 1);
    this.#reservations.take(step);
    this.#lanes.started(step);
    // The next time that it narrows is told again.
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

  /** `again`: it is tried once more in this sitting. */
  ended(step: ReadyStep, outcome: AttemptOutcome, again: boolean): void {
    this.#reservations.release(step);
    const { phase } = step;
    if (!asksModel(phase)) return;
    const failure = outcome.kind === 'failed' ? outcome.failure.reason : undefined;
    const tokens = 'tokens' in outcome ? outcome.tokens : 0;
    const isRetried = again && failure !== undefined && isCallFailure(failure);
    this.#lanes.ended(step, { tokens, isGivenUp: isGivenUp(outcome, again), isRetried });
    if (outcome.kind === 'paused')
      this.#lanes.closeUntil(step, parseTime(outcome.until) ?? this.#run.clock.now());
    if (failure === 'not-authorized' || failure === 'provider-missing') this.#isHalted = true;
    if (failure === 'model-unknown') this.#lanes.giveUp(step);
    if (failure === undefined || !(this.#isHalted || this.#lanes.isGivenUp(step))) return;
    const model = modelName(phase.executor);
    if (this.halts.every((halt) => halt.model !== model)) this.halts.push({ model, failure });
  }

  /** Nothing more will start in this sitting, whatever ends. */
  get isOver(): boolean {
    if (this.#isHalted || this.#isSpent(this.#reservations.atBest(wholeRun))) return true;
    return this.#isReached((phase) => this.#reservations.atBest(phase), false);
  }

  /** A unit was planned anew: it may have to wait now. */
  planned(plan: UnitPlan | undefined): void {
    if (plan !== undefined) this.#notePauses(plan);
  }

  /** When something may start that may not now; undefined: nothing will that is worth waiting for. */
  opensAt(): number | undefined {
    if (this.#isHalted || this.#isLimited()) return undefined;
    const { clock, loaded, waits } = this.#run;
    const patience = waits ? Number.POSITIVE_INFINITY : clock.now() + loaded.pipeline.pace.waitMs;
    const times = [...this.#paused.values()].filter((until) => until <= patience);
    const lanes = this.#lanes.opensAt(patience);
    if (lanes !== undefined) times.push(lanes);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** What this invocation has spent; undefined: it has no limit. */
  get spending(): InvocationSpending | undefined {
    const { spendLimit } = this.#run;
    if (spendLimit === undefined) return undefined;
    const usd = exact(knownSpending(this.#run.ledger) - spendLimit.before);
    const isReached = usd >= spendLimit.maxUsd && (this.#schedule.hasNext || this.#lanes.hasNext);
    return { maxUsd: spendLimit.maxUsd, usd, isReached };
  }

  /** With these calls under way the invocation has spent what it may. */
  #isSpent({ usd }: UnderWay): boolean {
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
    if (!this.#schedule.hasNext && !this.#lanes.hasNext) return;
    this.#run.observe({ type: 'budget-narrowed', atOnce: count, isFirst: this.#narrowedTo === undefined });
    this.#narrowedTo = count;
  }

  #countPreparing(phase: string): number {
    return this.#preparing.get(phase) ?? 0;
  }

  #notePauses({ unit, cells }: UnitPlan): void {
    const waits = pausesOf(cells);
    if (waits.length === 0) this.#paused.delete(unit);
    else this.#paused.set(unit, Math.min(...waits));
  }

  /** What a provider has asked for in an earlier sitting holds for all that would ask the same model. */
  #closeLanes(stages: readonly Stage[]): void {
    if (this.#paused.size === 0) return;
    for (const { phases } of stages) {
      for (const phase of phases) {
        const waits = [...this.#paused.keys()].flatMap((unit) => {
          const cell = this.#schedule.plans.get(unit)?.cells.find((one) => one.phase === phase.name);
          return cell === undefined ? [] : pausesOf([cell]);
        });
        if (waits.length > 0) this.#lanes.closeUntil({ phase }, Math.max(...waits));
      }
    }
  }

  /** Units whose time has come are planned anew. */
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
function pausesOf(cells: readonly CellPlan[]): number[] {
  return cells.flatMap(({ decision }) =>
    decision.do === 'stop' && decision.why.code === 'paused' ? [parseTime(decision.why.until) ?? 0] : [],
  );
}
