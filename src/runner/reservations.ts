import type { Ledger } from '../ledger/ledger.ts';
import { exact, wholeRun } from '../ledger/spent.ts';
import type { Phase, Pipeline } from '../model/definition.ts';
import { asksModel } from '../model/executor.ts';
import { answerTokensExpected } from '../pipeline/phases/prices.ts';
import { type CallAmount, likelyCall, type SpendingUnderWay } from '../planner/budget.ts';
import type { ReadyStep } from './attempts/attempt.ts';
import type { PreparedCall } from './executors/assignment.ts';

/** What is reserved for one attempt. */
interface Reserved {
  readonly likely: CallAmount;
  /** Undefined until the call is prepared. */
  readonly worst: CallAmount | undefined;
  /** In USD: what the ledger counts as in doubt since the call was announced. */
  readonly announced: number;
}

interface Sum {
  likely: CallAmount;
  worst: CallAmount;
  announced: number;
}

const nothing: CallAmount = { usd: 0, tokens: 0 };

/**
 * What budgets count for attempts under way. After a few answered calls of a phase the next one is reserved by what
 * those came to, with a margin, so that a budget does not keep calls from running side by side. Before that, and always
 * in a strict budget, a call is reserved by the most that it may cost, which is known once its prompt is rendered.
 */
export class Reservations {
  readonly #ledger: Pick<Ledger, 'spent'>;
  /** Accounts by name whose budget is strict. */
  readonly #strict: ReadonlySet<string>;
  readonly #hasBudget: boolean;
  readonly #held = new Map<ReadyStep, Reserved>();
  /** By phase, and for the whole run. */
  readonly #sums = new Map<string, Sum>();
  /** Attempts that are being prepared and whose cost nothing tells before. */
  #unknown = new Set<ReadyStep>();

  constructor({ budget, stages }: Pipeline, ledger: Pick<Ledger, 'spent'>, isLimited = false) {
    const phases = stages.flatMap((stage) => stage.phases);
    this.#ledger = ledger;
    this.#hasBudget = isLimited || budget !== undefined || phases.some((phase) => phase.budget !== undefined);
    this.#strict = new Set([
      ...(budget?.strict ? [wholeRun] : []),
      ...phases.filter((phase) => phase.budget?.strict).map(({ name }) => name),
    ]);
  }

  /** An attempt is about to be prepared. */
  take(step: ReadyStep): void {
    const { phase } = step;
    if (!this.#hasBudget) return;
    const likely = likelyCall(this.#ledger, phase);
    const isKnown = likely !== undefined && !this.#isStrict(phase);
    if (asksModel(phase) && !isKnown) this.#unknown.add(step);
    if (likely !== undefined) this.#put(step, { likely, worst: undefined, announced: 0 });
  }

  /** Its start is on record. */
  begun(step: ReadyStep, call: PreparedCall | undefined): void {
    this.#unknown.delete(step);
    const { phase } = step;
    if (!this.#hasBudget || !asksModel(phase)) return;
    if (call === undefined) {
      this.release(step);
      return;
    }
    const { maxTokens = answerTokensExpected } = phase.executor.parameters;
    const worst = { usd: call.atStake ?? 0, tokens: call.inputTokens + maxTokens };
    const before = this.#held.get(step)?.likely ?? worst;
    const likely = {
      usd: Math.min(before.usd, worst.usd),
      tokens: Math.min(before.tokens, worst.tokens),
    };
    this.#put(step, { likely, worst, announced: worst.usd });
  }

  /** It ended: what it cost is on record. */
  release(step: ReadyStep): void {
    this.#unknown.delete(step);
    const held = this.#held.get(step);
    this.#held.delete(step);
    if (held !== undefined) this.#add(step.phase.name, held, -1);
  }

  /** Something has to be prepared before anything else may be reserved. */
  get isUnknown(): boolean {
    return this.#unknown.size > 0;
  }

  /** Attempts for which something is reserved. */
  get count(): number {
    return this.#held.size;
  }

  /** What a budget counts besides what is on record: the ledger has the most that each call may cost already. */
  spending(account: string): SpendingUnderWay {
    const { likely, worst, announced } = this.#sums.get(account) ?? noSum;
    const { usd, tokens } = this.#strict.has(account) ? worst : likely;
    return { usd: exact(usd - announced), tokens };
  }

  /** The same if all of them cost nothing. */
  atBest(account: string): SpendingUnderWay {
    return { usd: -(this.#sums.get(account)?.announced ?? 0), tokens: 0 };
  }

  #isStrict({ name }: Phase): boolean {
    return this.#strict.has(wholeRun) || this.#strict.has(name);
  }

  #put(step: ReadyStep, reserved: Reserved): void {
    const before = this.#held.get(step);
    if (before !== undefined) this.#add(step.phase.name, before, -1);
    this.#held.set(step, reserved);
    this.#add(step.phase.name, reserved, 1);
  }

  #add(phase: string, { likely, worst = nothing, announced }: Reserved, sign: 1 | -1): void {
    for (const account of [phase, wholeRun]) {
      const sum = this.#sums.get(account) ?? { ...noSum };
      sum.likely = plus(sum.likely, likely, sign);
      sum.worst = plus(sum.worst, worst, sign);
      sum.announced = exact(sum.announced + sign * announced);
      this.#sums.set(account, sum);
    }
  }
}

const noSum: Sum = { likely: nothing, worst: nothing, announced: 0 };

function plus(sum: CallAmount, { usd, tokens }: CallAmount, sign: 1 | -1): CallAmount {
  return { usd: exact(sum.usd + sign * usd), tokens: sum.tokens + sign * tokens };
}
