import { hashJson } from '../base/hash.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { type Spent, wholeRun } from '../ledger/spent.ts';
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
    const since = (what: keyof Spent['from']) => (account ? account[what] - account.from[what] : 0);
    const asked: readonly (readonly [BudgetLimit, number, number | undefined])[] = [
      ['budget_usd', since('usd') + more.usd, usd],
      ['budget_tokens', since('tokens') + more.tokens, tokens],
      ['budget_time', since('ms'), timeMs],
    ];
    return asked.flatMap(([limit, value, max]) =>
      max === undefined ? [] : [{ phase, limit, value, max, warnAt, account }],
    );
  });
}

const accountOf = { budget_usd: 'usd', budget_tokens: 'tokens', budget_time: 'ms' } as const;

const nothing: UnderWay = { usd: 0, tokens: 0 };

/** Budgets that are used up: a person may grant as much again, and is asked once. */
export function reachedBudgets(
  pipeline: Pick<Pipeline, 'budget' | 'stages' | 'channels'>,
  ledger: Ledger,
  now: string,
  underWay?: (phase: string) => UnderWay,
): ReachedLimit[] {
  return spendings(pipeline, ledger, underWay).flatMap(({ phase, limit, value, max, account }) => {
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
    return [{ phase, limit, value, max, attempts: account?.attempts ?? 0, ...question }];
  });
}

/** Budgets of which so much is spent that somebody may want to know. */
export function nearBudgets(pipeline: Pick<Pipeline, 'budget' | 'stages'>, ledger: Ledger): Notice[] {
  return spendings(pipeline, ledger).flatMap(({ phase, limit, value, max, warnAt }) =>
    value < max && value >= max * warnAt ? [{ code: 'budget-near', phase, limit, value, max }] : [],
  );
}
