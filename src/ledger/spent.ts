import { parseTime } from '../base/clock.ts';
import { costNames } from '../model/calls.ts';
import type { CallIntent, CallRecord, Cost, StoredEvent } from '../model/event.ts';
import type { BudgetLimit } from '../model/reason.ts';

/** What all attempts at a phase have spent together, in every unit and over every resume. */
export interface Spent {
  readonly phase: string;
  /** Attempts that ended. */
  attempts: number;
  usd: number;
  /** Input and output. */
  tokens: number;
  ms: number;
  /** In USD, at most: calls that were sent and whose cost is unknown, or not known yet. */
  doubt: number;
  /** What the newest answered calls of the phase used; only while there are any. */
  past?: PastCalls;
  /** What had been spent of each when a person last granted more. */
  from: { usd: number; tokens: number; ms: number };
}

/** Calls that were answered by one model, or attempts of a phase that asks none and said what they cost. */
export interface PastCalls {
  /** `PROVIDER/MODEL`; empty: the phase asks no model. */
  readonly model: string;
  /** The newest last. */
  readonly calls: readonly PastCall[];
}

/** Tokens of the input and of the output, and USD. */
export type PastCall = readonly [input: number, output: number, usd: number];

/** Which account a budget is about. */
export const accountOf: Readonly<Record<BudgetLimit, keyof Spent['from']>> = {
  budget_usd: 'usd',
  budget_tokens: 'tokens',
  budget_time: 'ms',
};

/** In USD: what the run has spent, with what calls in doubt may have cost. */
export function knownSpending({ spent }: { readonly spent: readonly Spent[] }): number {
  const account = spent.find(({ phase }) => phase === wholeRun);
  return account === undefined ? 0 : exact(account.usd + account.doubt);
}

interface Accounts {
  readonly spent: Spent[];
}

/** The account of a phase; the empty name is that of the whole run, which a grant for the run is noted with. */
export function takeSpent(ledger: Accounts, phase: string): Spent {
  for (const spent of ledger.spent) if (spent.phase === phase) return spent;
  const spent: Spent = {
    phase,
    attempts: 0,
    usd: 0,
    tokens: 0,
    ms: 0,
    doubt: 0,
    from: { usd: 0, tokens: 0, ms: 0 },
  };
  ledger.spent.push(spent);
  return spent;
}

/** An attempt ended. */
export function noteSpending(ledger: Accounts, { phase, type, ms, cost, call }: AttemptEnd): void {
  const account = takeSpent(ledger, phase);
  add(account, ms, cost);
  add(takeSpent(ledger, wholeRun), ms, cost);
  // A pause is part of a step, and says nothing of what the next one costs in all.
  const isWhole = type !== 'attempt_paused' && type !== 'attempt_interrupted';
  const isAnswer = call === undefined ? isWhole : call.finish !== undefined && call.reused === undefined;
  if (cost !== undefined && isAnswer) notePast(account, call?.model ?? '', cost);
}

interface AttemptEnd {
  readonly type?: string;
  readonly phase: string;
  readonly ms: number;
  readonly cost?: Cost;
  readonly call?: CallRecord;
}

const pastCallsMax = 50;

/** Another model says nothing of the next call. */
function notePast(account: Spent, model: string, { inputTokens = 0, outputTokens = 0, usd = 0 }: Cost): void {
  const before = account.past?.model === model ? account.past.calls : [];
  account.past = {
    model,
    calls: [...before, [inputTokens, outputTokens, usd] as const].slice(-pastCallsMax),
  };
}

function add(spent: Spent, ms: number, cost: Cost | undefined): void {
  spent.attempts += 1;
  spent.ms += ms;
  if (cost === undefined) return;
  spent.usd = exact(spent.usd + (cost.usd ?? 0));
  spent.tokens += (cost.inputTokens ?? 0) + (cost.outputTokens ?? 0);
}

export const wholeRun = '';

/** After more is granted, counting starts at 0; the sums of what was spent stay. */
export function grantMore(ledger: Accounts, of: (spent: Spent) => readonly (keyof Spent['from'])[]): void {
  for (const spent of ledger.spent) {
    const { usd, tokens, ms, doubt } = spent;
    const now = { usd: exact(usd + doubt), tokens, ms };
    for (const what of of(spent)) spent.from[what] = now[what];
  }
}

/** A call was sent whose cost is unknown; or it is known now (`sign` -1). */
export function noteDoubt(
  ledger: Accounts,
  phase: string,
  call: CallIntent | undefined,
  sign: 1 | -1 = 1,
): void {
  if (call?.atStake === undefined || call.atStake === 0) return;
  for (const name of [phase, wholeRun]) {
    const spent = takeSpent(ledger, name);
    spent.doubt = Math.max(0, exact(spent.doubt + sign * call.atStake));
  }
}

export function addCost(before: Cost | undefined, more: Cost | undefined): Cost | undefined {
  if (before === undefined || more === undefined) return before ?? more;
  const sum: { -readonly [K in keyof Cost]: Cost[K] } = {};
  for (const name of costNames) {
    const one = before[name];
    const other = more[name];
    if (one !== undefined || other !== undefined) sum[name] = exact((one ?? 0) + (other ?? 0));
  }
  return sum;
}

/** In whole billionths: many small sums must not show what floating point adds. */
export function exact(sum: number): number {
  return Math.round(sum * 1e9) / 1e9;
}

/** How long `pawl run` processes have worked on a run, one after the other. The pauses between them do not count. */
export interface WorkedTime {
  /** Of the invocations that are over. */
  ms: number;
  /** When the newest one began; undefined: it has ended. */
  since: string | undefined;
  /** The newest event of a runner. */
  until: string;
}

/** Takes one event of the runner in. An invocation that was killed ends with the last event that it wrote. */
export function noteWorked(worked: WorkedTime, { type, at }: Pick<StoredEvent, 'type' | 'at'>): void {
  if (type === 'run_created' || type === 'run_resumed') {
    worked.ms += openMs(worked);
    worked.since = at;
  }
  worked.until = at;
  if (type !== 'run_ended') return;
  worked.ms += openMs(worked);
  worked.since = undefined;
}

/** Milliseconds in all; `now` where a process still works on it. */
export function workedMs(worked: WorkedTime, now?: string): number {
  return worked.ms + openMs(now === undefined ? worked : { ...worked, until: now });
}

function openMs({ since, until }: WorkedTime): number {
  if (since === undefined) return 0;
  return Math.max(0, (parseTime(until) ?? 0) - (parseTime(since) ?? 0));
}
