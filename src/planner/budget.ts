import { hashJson } from '../base/hash.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { accountOf, exact, type Spent, wholeRun } from '../ledger/spent.ts';
import type { Budget, Pipeline } from '../model/definition.ts';
import type { BudgetLimit, Notice, ReachedLimit, Spending } from '../model/reason.ts';
import { standing } from './questions.ts';

/** What calls under way may come to: a budget counts these as well. */
export interface UnderWay {
  readonly usd: number;
  readonly tokens: number;
}

interface BudgetSpending extends Spending {
  readonly limit: BudgetLimit;
  readonly warnAt: number;
  readonly account: Spent | undefined;
}

/** Every budget of the manifest, with what was spent of it since somebody last granted more. */
export function spendings(
  { budget, stages }: Pick<Pipeline, 'budget' | 'stages'>,
  { spent }: Pick<Ledger, 'spent'>,
  underWay: (phase: string) => UnderWay = () => nothing,
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

const nothing: UnderWay = { usd: 0, tokens: 0 };

/** Budgets that are used up: a person may grant as much again, and is asked once. */
export function reachedBudgets(
  pipeline: Pick<Pipeline, 'budget' | 'stages' | 'channels'>,
  ledger: Ledger,
  now: string,
  underWay?: (phase: string) => UnderWay,
): ReachedLimit[] {
  return spendings(pipeline, ledger, underWay).flatMap(({ warnAt: _, account, ...spending }) => {
    const { phase, limit, value, max } = spending;
    if (value < max) return [];
    const from = account?.from[accountOf[limit]] ?? 0;
    const { decided, asks } = standing(
      ledger.questions,
      {
        question: 'budget',
        unit: '',
        phase,
        place: limit,
        name: phase === wholeRun ? 'budget' : `${phase} budget`,
        // Another limit, or one that was granted anew, is another question.
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
export interface ExpectedSpending extends UnderWay {
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

/** Budgets of which so much is spent that somebody may want to know. */
export function nearBudgets(pipeline: Pick<Pipeline, 'budget' | 'stages'>, ledger: Ledger): Notice[] {
  return spendings(pipeline, ledger).flatMap(({ warnAt, account: _, ...spending }) =>
    spending.value < spending.max && spending.value >= spending.max * warnAt
      ? [{ code: 'budget-near', ...spending }]
      : [],
  );
}
