import { hashJson } from '../base/hash.ts';
import type { Ledger, Tally } from '../ledger/ledger.ts';
import { accountOf, exact, type PastCall, type Spent, wholeRun } from '../ledger/spent.ts';
import { modelName } from '../model/calls.ts';
import type { Budget, Limits, Phase, Pipeline } from '../model/definition.ts';
import { asksModel } from '../model/executor.ts';
import type { BudgetLimit, Notice, ReachedLimit, Spending } from '../model/reason.ts';
import { standingAnswer } from './questions.ts';

/** What calls under way may come to: a budget counts these as well. */
export interface SpendingUnderWay {
  readonly usd: number;
  readonly tokens: number;
}

interface BudgetSpending extends Spending {
  readonly limit: BudgetLimit;
  readonly warnAt: number;
  readonly account: Spent | undefined;
}

/** Every budget of the manifest, with what was spent of it since a person last granted more. */
export function spendings(
  { budget, stages }: Pick<Pipeline, 'budget' | 'stages'>,
  { spent }: Pick<Ledger, 'spent'>,
  underWay: (phase: string) => SpendingUnderWay = () => nothing,
): BudgetSpending[] {
  const budgets: (readonly [string, Budget])[] = budget === undefined ? [] : [[wholeRun, budget]];
  for (const { phases } of stages)
    for (const { name, budget: own } of phases) if (own !== undefined) budgets.push([name, own]);
  return budgets.flatMap(([phase, { usd, tokens, timeMs, warnAt }]) => {
    const account = spent.find((one) => one.phase === phase);
    const more = underWay(phase);
    const doubt = account?.doubt ?? 0;
    const since = (what: keyof Spent['from']) => (account ? account[what] - account.from[what] : 0);
    const asked: readonly (readonly [BudgetLimit, number, number | undefined])[] = [
      ['budget_usd', exact(since('usd') + doubt + more.usd), usd],
      ['budget_tokens', since('tokens') + more.tokens, tokens],
      ['budget_time', since('ms'), timeMs],
    ];
    return asked.flatMap(([limit, value, max]) =>
      max === undefined ? [] : [{ phase, limit, value, max, ...partsOf(limit, account), warnAt, account }],
    );
  });
}

/** What is not plainly spent since the beginning. */
function partsOf(limit: BudgetLimit, account: Spent | undefined): Pick<Spending, 'doubt' | 'before'> {
  if (account === undefined) return {};
  const before = account.from[accountOf[limit]];
  const doubt = limit === 'budget_usd' ? account.doubt : 0;
  return { ...(doubt > 0 && { doubt }), ...(before > 0 && { before }) };
}

const nothing: SpendingUnderWay = { usd: 0, tokens: 0 };

/** Budgets that are used up: a person may grant as much again, and is asked once. */
export function reachedBudgets(
  pipeline: Pick<Pipeline, 'budget' | 'stages' | 'channels'>,
  ledger: Ledger,
  now: string,
  underWay?: (phase: string) => SpendingUnderWay,
): ReachedLimit[] {
  return spendings(pipeline, ledger, underWay).flatMap(({ warnAt: _, account, ...spending }) => {
    const { phase, limit, value, max } = spending;
    if (value < max) return [];
    const from = account?.from[accountOf[limit]] ?? 0;
    const { decided, asks } = standingAnswer(
      ledger.questions,
      {
        question: 'budget',
        unit: '',
        phase,
        place: limit,
        name: phase === wholeRun ? 'budget' : `${phase} budget`,
        // Another limit, or a newly granted one, is another question.
        shown: { [phase === wholeRun ? limit : `${phase} ${limit}`]: hashJson({ phase, max, from }) },
        channels: pipeline.channels,
        redo: undefined,
        expiresMs: undefined,
      },
      now,
    );
    const question = decided === undefined ? { asks } : {};
    return [{ ...spending, attempts: account?.attempts ?? 0, ...question }];
  });
}

/** What a phase is expected to spend. */
export interface ExpectedSpending extends SpendingUnderWay {
  readonly phase: string;
  readonly usdMax: number;
  readonly tokensMax: number;
  /** It comes from calls of this run. */
  readonly isFromPast: boolean;
}

type Short = Extract<Notice, { readonly code: 'budget-short' }>;

/** Budgets that will not suffice for what is planned. One that is used up already is a limit that was reached. */
export function shortBudgets(
  pipeline: Pick<Pipeline, 'budget' | 'stages'>,
  ledger: Pick<Ledger, 'spent'>,
  planned: readonly ExpectedSpending[],
): Short[] {
  return spendings(pipeline, ledger).flatMap(({ phase, limit, value, max }): Short[] => {
    if (limit === 'budget_time') return [];
    const own = planned.filter((one) => phase === wholeRun || one.phase === phase);
    const sum = (of: (one: ExpectedSpending) => number, from = own) =>
      exact(from.reduce((all, one) => all + of(one), 0));
    const [usual, most] =
      limit === 'budget_usd'
        ? ([({ usd }: ExpectedSpending) => usd, ({ usdMax }: ExpectedSpending) => usdMax] as const)
        : ([
            ({ tokens }: ExpectedSpending) => tokens,
            ({ tokensMax }: ExpectedSpending) => tokensMax,
          ] as const);
    const left = exact(max - value);
    const expected = sum(usual);
    if (left <= 0 || expected <= left) return [];
    const isSure =
      sum(
        usual,
        own.filter(({ isFromPast }) => isFromPast),
      ) > left;
    return [{ code: 'budget-short', phase, limit, left, expected, atMost: sum(most), isSure }];
  });
}

/** Budgets that are spent up to their notice share. */
export function nearBudgets(pipeline: Pick<Pipeline, 'budget' | 'stages'>, ledger: Ledger): Notice[] {
  return spendings(pipeline, ledger).flatMap(({ warnAt, account: _, ...spending }) =>
    spending.value < spending.max && spending.value >= spending.max * warnAt
      ? [{ code: 'budget-near', ...spending }]
      : [],
  );
}

/** What is under way, and not on record yet. */
export interface ComingUp {
  /** Attempts at a phase that are about to be recorded. */
  attempts(phase: string): number;
  /** What calls at a phase may come to; the empty name is for all of them. */
  spending(phase: string): SpendingUnderWay;
}

/** The limits that the manifest sets and the run has come to: while there is one, nothing more is started. */
export function reachedLimits(
  pipeline: Pipeline,
  ledger: Ledger,
  now: string,
  comingUp?: ComingUp,
): ReachedLimit[] {
  const { stages } = pipeline;
  const reached = reachedBudgets(pipeline, ledger, now, comingUp?.spending);
  for (const { phases } of stages) {
    for (const { name, limits } of phases) {
      if (limits === undefined) continue;
      const tally = ledger.tallies.find(({ phase }) => phase === name) ?? noTally(name);
      const attempts = tally.attempts + (comingUp?.attempts(name) ?? 0);
      if (attempts > 0) reached.push(...reachedBy(limits, { ...tally, attempts }));
    }
  }
  return reached;
}

function noTally(phase: string): Tally {
  return { phase, attempts: 0, retries: 0, bad: 0, badInARow: 0 };
}

function reachedBy(limits: Limits, tally: Tally): ReachedLimit[] {
  const { phase, attempts, retries, bad, badInARow } = tally;
  const isTelling = attempts >= limits.after;
  const asked: readonly (readonly [ReachedLimit['limit'], number, number | undefined])[] = [
    ['attempts', attempts, limits.attempts],
    ['consecutive_failures', badInARow, limits.consecutiveFailures],
    ['retry_rate', retries / attempts, isTelling ? limits.retryRate : undefined],
    ['reject_rate', bad / attempts, isTelling ? limits.rejectRate : undefined],
  ];
  return asked.flatMap(([limit, value, max]) =>
    max === undefined || !isReached(limit, value, max) ? [] : [{ phase, limit, value, max, attempts }],
  );
}

/** So many are allowed and no more; a rate may be reached, not passed. */
function isReached(limit: ReachedLimit['limit'], value: number, max: number): boolean {
  return limit === 'attempts' || limit === 'consecutive_failures' ? value >= max : value > max;
}

/*
 * What the run's own past says of the next call of a phase. A plan takes the median, because one long answer must not
 * move it; a reservation takes the mean, because many calls together cost what their mean says, and adds a margin.
 */

/** What a call comes to, in money and in tokens. */
export interface CallAmount {
  readonly usd: number;
  /** Input and output together. */
  readonly tokens: number;
}

/** What the phase's answered calls used, the newest last; none where it asks another model now. */
export function pastCalls({ spent }: Pick<Ledger, 'spent'>, phase: Phase): readonly PastCall[] {
  const past = spent.find((account: Spent) => account.phase === phase.name)?.past;
  const model = asksModel(phase) ? modelName(phase.executor) : '';
  return past === undefined || past.model !== model ? [] : past.calls;
}

/** Undefined: the phase has answered nothing so far. */
export function medianCall(calls: readonly PastCall[]): PastCall | undefined {
  if (calls.length === 0) return undefined;
  const [input, output, usd] = [0, 1, 2].map((at) => median(calls.map((call) => call[at] ?? 0)));
  return [input ?? 0, output ?? 0, usd ?? 0];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}

/** What to reserve for a call of the phase; undefined: too few were answered to tell. */
export function likelyCall(ledger: Pick<Ledger, 'spent'>, phase: Phase): CallAmount | undefined {
  const calls = pastCalls(ledger, phase);
  if (calls.length < answeredMin) return undefined;
  const mean = (of: (call: PastCall) => number) =>
    (calls.reduce((sum, call) => sum + of(call), 0) / calls.length) * safetyFactor;
  return { usd: exact(mean(([, , usd]) => usd)), tokens: mean(([input, output]) => input + output) };
}

const answeredMin = 5;
const safetyFactor = 1.5;
