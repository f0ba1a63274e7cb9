import { formatTime, parseTime } from '../base/clock.ts';
import { wholeRun } from '../ledger/spent.ts';
import { isCallFailure } from '../model/attempt-failure.ts';
import { modelName } from '../model/calls.ts';
import type { Pipeline, Stage } from '../model/definition.ts';
import { asksModel } from '../model/executor.ts';
import { answerTokensExpected } from '../pipeline/phases/prices.ts';
import type { UnderWay } from '../planner/budget.ts';
import { reachedLimits } from '../planner/limits.ts';
import type { CellPlan, UnitPlan } from '../planner/plan.ts';
import type { Assignment } from './assignment.ts';
import type { AttemptOutcome } from './attempt.ts';
import type { RunContext } from './context.ts';
import { Lanes } from './lanes.ts';
import type { PreparedCall } from './models/prepared-call.ts';
import type { Schedule } from './schedule.ts';

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
  readonly #hasBudget: boolean;
  /** Taken, and not on record yet: a limit counts these as well. */
  readonly #preparing = new Map<string, number>();
  /** What calls under way may come to, by phase and for all. Of the money the ledger knows as soon as they are sent. */
  readonly #atStake = new Map<string, { usd: number; tokens: number }>();
  readonly #held = new Map<Assignment, UnderWay>();
  /** Units with a cell that waits, and until when. */
  readonly #paused = new Map<string, number>();
  readonly halts: Halt[] = [];
  #isHalted = false;

  constructor(run: RunContext, schedule: Schedule) {
    const { pipeline } = run.loaded;
    this.#run = run;
    this.#schedule = schedule;
    this.#lanes = new Lanes(pipeline.models, run.clock);
    this.#hasBudget = hasBudget(pipeline);
    for (const plan of schedule.plans.values()) this.#notePauses(plan);
    this.#closeLanes(pipeline.stages);
  }

  next(): Assignment | undefined {
    this.#wakeUnits();
    if (this.#isHalted || this.#isLimited()) return undefined;
    const assignment = this.#lanes.take(this.#schedule);
    if (assignment === undefined) return undefined;
    const { name } = assignment.phase;
    this.#preparing.set(name, this.#countPreparing(name) + 1);
    this.#lanes.started(assignment);
    return assignment;
  }

  /** Its start is on record. */
  begun(assignment: Assignment, call: PreparedCall | undefined): void {
    const { name } = assignment.phase;
    this.#preparing.set(name, this.#countPreparing(name) - 1);
    if (!this.#hasBudget || call === undefined) return;
    const { phase } = assignment;
    const answer = asksModel(phase) ? phase.executor.parameters.maxTokens : undefined;
    const held = {
      usd: call.atStake ?? 0,
      tokens: call.inputTokens + (answer ?? answerTokensExpected),
    };
    this.#held.set(assignment, held);
    this.#hold(name, held, 1);
  }

  /** `again`: it is tried once more in this sitting. */
  ended(assignment: Assignment, outcome: AttemptOutcome, again: boolean): void {
    const held = this.#held.get(assignment);
    if (held !== undefined) this.#hold(assignment.phase.name, held, -1);
    this.#held.delete(assignment);
    const { phase } = assignment;
    if (!asksModel(phase)) return;
    const failure = outcome.kind === 'failed' ? outcome.failure.reason : undefined;
    const tokens = 'tokens' in outcome ? outcome.tokens : 0;
    const isRetried = again && failure !== undefined && isCallFailure(failure);
    this.#lanes.ended(assignment, { tokens, isGivenUp: isGivenUp(outcome, again), isRetried });
    if (outcome.kind === 'paused')
      this.#lanes.closeUntil(assignment, parseTime(outcome.until) ?? this.#run.clock.now());
    if (failure === 'not-authorized' || failure === 'provider-missing') this.#isHalted = true;
    if (failure === 'model-unknown') this.#lanes.giveUp(assignment);
    if (failure === undefined || !(this.#isHalted || this.#lanes.isGivenUp(assignment))) return;
    const model = modelName(phase.executor);
    if (this.halts.every((halt) => halt.model !== model)) this.halts.push({ model, failure });
  }

  /** Nothing more will start in this sitting, whatever ends. */
  get isOver(): boolean {
    const { loaded, ledger, facts } = this.#run;
    // Calls under way may come to nothing.
    const atBest = {
      attempts: () => 0,
      spending: (phase: string) => ({ usd: -(this.#atStake.get(phase)?.usd ?? 0), tokens: 0 }),
    };
    return this.#isHalted || reachedLimits(loaded.pipeline, ledger, facts.now, atBest).length > 0;
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

  /** With a budget one starts after the other: each has to know what those before it may cost. */
  #isLimited(): boolean {
    const { loaded, ledger, facts } = this.#run;
    if (this.#hasBudget && [...this.#preparing.values()].some((count) => count > 0)) return true;
    const comingUp = {
      attempts: (phase: string) => this.#countPreparing(phase),
      spending: (phase: string) => ({ usd: 0, tokens: this.#atStake.get(phase)?.tokens ?? 0 }),
    };
    return reachedLimits(loaded.pipeline, ledger, facts.now, comingUp).length > 0;
  }

  #countPreparing(phase: string): number {
    return this.#preparing.get(phase) ?? 0;
  }

  #hold(phase: string, { usd, tokens }: UnderWay, sign: 1 | -1): void {
    for (const name of [phase, wholeRun]) {
      const sum = this.#atStake.get(name) ?? { usd: 0, tokens: 0 };
      this.#atStake.set(name, { usd: sum.usd + sign * usd, tokens: sum.tokens + sign * tokens });
    }
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

function hasBudget({ budget, stages }: Pipeline): boolean {
  return (
    budget !== undefined || stages.some(({ phases }) => phases.some((phase) => phase.budget !== undefined))
  );
}
