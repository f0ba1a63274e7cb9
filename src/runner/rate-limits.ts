import type { Clock } from '../base/clock.ts';
import { modelName } from '../model/calls.ts';
import type { CallLimits, Models } from '../model/definition.ts';
import { asksModel } from '../model/executor.ts';
import { type StepName, stepName } from '../model/names.ts';
import type { ReadyStep } from './attempts/attempt.ts';

/** Where the next step to start comes from. */
export interface Source {
  /** Of a unit that was begun. */
  takeBegun?(): ReadyStep | undefined;
  take(): ReadyStep | undefined;
}

/** Steps that wait for room within their rate limits. */
interface Aside {
  /** Tried before. */
  readonly retried: ReadyStep[];
  readonly begun: ReadyStep[];
  readonly fresh: ReadyStep[];
}

/** How a call ended. */
export interface CallEnd {
  readonly tokens: number;
  /** False: the provider has answered. Undefined: neither that, nor was the step given up. */
  readonly isGivenUp: boolean | undefined;
  /** It failed, and comes again. */
  readonly isRetried?: boolean;
}

/**
 * After so many steps in a row that failed for good, a provider is not asked any more in this invocation. While that depends
 * on steps that will be tried again, nothing else is asked there.
 */
const givenUpMax = 5;
const minuteMs = 60_000;

/**
 * How fast providers may be asked. Every call counts for the limits of its provider and for those of its model. A step for
 * which one of them has no room is set aside, so that it holds up nothing else, and starts before anything new.
 */
export class RateLimits {
  readonly #models: Models;
  readonly #clock: Clock;
  readonly #rateLimits = new Map<string, RateLimit>();
  /** By provider and model: steps that were set aside, in the order in which they came. */
  readonly #aside = new Map<string, Aside>();

  constructor(models: Models, clock: Clock) {
    this.#models = models;
    this.#clock = clock;
  }

  /** The next step that may start now: units that were begun go before others. */
  take(source: Source): ReadyStep | undefined {
    for (let next = source.takeBegun?.(); next !== undefined; next = source.takeBegun?.()) {
      if (this.#isOpen(next)) return next;
      this.#asideOf(next)[this.#isRetried(next) ? 'retried' : 'begun'].push(next);
    }
    for (const kind of ['retried', 'begun', 'fresh'] as const) {
      for (const { [kind]: waiting } of this.#aside.values()) {
        const [first] = waiting;
        if (first !== undefined && this.#isOpen(first)) return waiting.shift();
      }
    }
    for (let next = source.take(); next !== undefined; next = source.take()) {
      if (this.#isOpen(next)) return next;
      this.#asideOf(next).fresh.push(next);
    }
    return undefined;
  }

  /** Whether something that was set aside may start now. */
  get hasNext(): boolean {
    return [...this.#aside.values()].some(({ retried, begun, fresh }) => {
      const first = retried[0] ?? begun[0] ?? fresh[0];
      return first !== undefined && this.#isOpen(first);
    });
  }

  #asideOf(step: ReadyStep): Aside {
    const name = limitNames(step).join(' ');
    let aside = this.#aside.get(name);
    if (aside === undefined) {
      aside = { retried: [], begun: [], fresh: [] };
      this.#aside.set(name, aside);
    }
    return aside;
  }

  started(step: ReadyStep): void {
    const now = this.#clock.now();
    for (const limit of this.#limitsFor(step)) limit.start(now);
  }

  ended(step: ReadyStep, how: CallEnd): void {
    const now = this.#clock.now();
    for (const limit of this.#limitsFor(step)) limit.end(now, nameOf(step), how);
  }

  /** Nothing more is asked of the phase's model before then. */
  closeUntil(of: Pick<ReadyStep, 'phase'>, until: number): void {
    for (const limit of this.#limitsFor(of).slice(-1)) limit.closedUntil = Math.max(limit.closedUntil, until);
  }

  /** Nothing more is asked there in this invocation. */
  giveUp(step: ReadyStep): void {
    for (const limit of this.#limitsFor(step).slice(-1)) limit.givenUp = givenUpMax;
  }

  isGivenUp(step: ReadyStep): boolean {
    return this.#limitsFor(step).some((limit) => limit.isGivenUp);
  }

  /**
   * When something that was set aside may start; undefined: nothing was, or only by what ends before it. What a provider
   * has closed for longer than until `patience` is not waited for; limits of our own always are.
   */
  opensAt(patience: number): number | undefined {
    const now = this.#clock.now();
    let earliest: number | undefined;
    for (const { retried, begun, fresh } of this.#aside.values()) {
      const first = retried[0] ?? begun[0] ?? fresh[0];
      if (first === undefined) continue;
      const limits = this.#limitsFor(first);
      if (limits.some((limit) => limit.keepsOut(nameOf(first)) || limit.closedUntil > patience)) continue;
      const opens = Math.max(...limits.map((limit) => limit.opensAt(now)));
      if (earliest === undefined || opens < earliest) earliest = opens;
    }
    return earliest;
  }

  #isOpen(step: ReadyStep): boolean {
    const now = this.#clock.now();
    return this.#limitsFor(step).every((limit) => !limit.keepsOut(nameOf(step)) && limit.opensAt(now) <= now);
  }

  #isRetried(step: ReadyStep): boolean {
    return this.#limitsFor(step).some((limit) => limit.retried.has(nameOf(step)));
  }

  #limitsFor(step: Pick<ReadyStep, 'phase'>): readonly RateLimit[] {
    return limitNames(step).map((name) => {
      let limit = this.#rateLimits.get(name);
      if (limit === undefined) {
        limit = new RateLimit(callLimits(this.#models, name));
        this.#rateLimits.set(name, limit);
      }
      return limit;
    });
  }
}

/** The provider's, and then the model's own. */
function limitNames({ phase }: Pick<ReadyStep, 'phase'>): readonly string[] {
  return asksModel(phase) ? [phase.executor.provider, modelName(phase.executor)] : none;
}

const none: readonly string[] = [];

function nameOf({ unit, phase }: ReadyStep): StepName {
  return stepName(unit.id, phase.name);
}

function callLimits({ providers, limits }: Models, name: string): CallLimits {
  const own = Object.hasOwn(limits, name) ? limits[name] : undefined;
  return own ?? providers.find((provider) => provider.name === name)?.limits ?? noLimits;
}

const noLimits: CallLimits = {
  concurrency: undefined,
  requestsPerMinute: undefined,
  tokensPerMinute: undefined,
};

/** The calls of the last minute, and those under way, at one provider or of one model. */
class RateLimit {
  readonly #limits: CallLimits;
  #underWay = 0;
  #starts: number[] = [];
  #tokens: { readonly at: number; readonly count: number }[] = [];
  closedUntil = 0;
  /** Steps in a row that were given up. */
  givenUp = 0;
  /** Steps that failed since the last answer, and are tried again. */
  readonly retried = new Set<StepName>();

  constructor(limits: CallLimits) {
    this.#limits = limits;
  }

  /** No step may start, or this one may not, before another ends. */
  keepsOut(step: StepName): boolean {
    if (this.isGivenUp || this.#underWay >= (this.#limits.concurrency ?? Number.POSITIVE_INFINITY))
      return true;
    return this.givenUp + this.retried.size >= givenUpMax && !this.retried.has(step);
  }

  get isGivenUp(): boolean {
    return this.givenUp >= givenUpMax;
  }

  start(now: number): void {
    this.#underWay += 1;
    if (this.#limits.requestsPerMinute !== undefined) this.#starts.push(now);
  }

  end(now: number, step: StepName, { tokens, isGivenUp, isRetried = false }: CallEnd): void {
    this.#underWay -= 1;
    if (isRetried) this.retried.add(step);
    else if (isGivenUp === false) this.retried.clear();
    else this.retried.delete(step);
    if (isGivenUp) this.givenUp += 1;
    // A provider that was given up stays so, also when a late answer arrives.
    else if (isGivenUp === false && !this.isGivenUp) this.givenUp = 0;
    if (this.#limits.tokensPerMinute !== undefined && tokens > 0)
      this.#tokens.push({ at: now, count: tokens });
  }

  /** The earliest time at which no limit is in the way; a time that has passed: now. */
  opensAt(now: number): number {
    const { requestsPerMinute, tokensPerMinute } = this.#limits;
    let opens = this.closedUntil;
    if (requestsPerMinute !== undefined) {
      this.#starts = this.#starts.filter((at) => at > now - minuteMs);
      const oldest = this.#starts.at(-requestsPerMinute);
      if (oldest !== undefined) opens = Math.max(opens, oldest + minuteMs);
    }
    if (tokensPerMinute !== undefined) {
      this.#tokens = this.#tokens.filter(({ at }) => at > now - minuteMs);
      let count = this.#tokens.reduce((sum, one) => sum + one.count, 0);
      for (const one of this.#tokens) {
        if (count < tokensPerMinute) break;
        opens = Math.max(opens, one.at + minuteMs);
        count -= one.count;
      }
    }
    return opens;
  }
}
