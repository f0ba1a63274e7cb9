import { unreachable } from '../../base/result.ts';
import { asksOf, type BudgetLimit, type ReachedLimit, type Spending } from '../../model/reason.ts';
import { answerWays, raiseBudgetWords } from '../checkpoints.ts';
import { grouped, money } from '../words/figures.ts';
import { plain } from '../words/plain.ts';
import type { Style } from '../words/style.ts';
import { count, duration } from '../words/words.ts';

/** A line for each limit over all units and each budget that keeps a run from going on, and the ways past it. */
export function limitLines(limits: readonly ReachedLimit[], style: Style): string[] {
  const { paint, symbols } = style;
  const asked = limits.filter((limit) => asksOf(limit) !== undefined);
  const firm = limits.filter((limit) => asksOf(limit) === undefined);
  const indented = (way: string) => `    ${way}`;
  return [
    ...firm.map((limit) => `${paint.red(symbols.bad)} ${limitWords(limit)}`),
    ...limitWays(firm, style.path).map(indented),
    ...asked.flatMap((limit) => [
      `${paint.yellow(symbols.asks)} ${limitWords(limit)}`,
      ...limitWays([limit], style.path).map(indented),
    ]),
  ];
}

/** How to go on past these limits, each way once. */
export function limitWays(limits: readonly ReachedLimit[], path: string | undefined): string[] {
  return [
    ...new Set(
      limits.flatMap((limit) => {
        const asks = asksOf(limit);
        if (asks !== undefined) return answerWays(asks, path);
        return isBudget(limit.limit)
          ? [raiseBudgetWords]
          : ['raise the limit in the manifest, or go on with --past-limits and a --reason'];
      }),
    ),
  ];
}

/** What was reached, in one line. */
export function limitWords(reached: ReachedLimit): string {
  const { phase, limit, value, max, attempts } = reached;
  const of = `${phase === '' ? 'the whole run' : plain(phase)}:`;
  switch (limit) {
    case 'attempts':
      return `${of} ${count(value, 'attempt')} in all, and the limit is ${max}`;
    case 'consecutive_failures':
      return `${of} ${count(value, 'bad attempt')} in a row, and the limit is ${max}`;
    case 'retry_rate':
      return `${of} ${percent(value)} of ${count(attempts, 'attempt')} are retries, and the limit is ${percent(max)}`;
    case 'reject_rate':
      return `${of} ${percent(value)} of ${count(attempts, 'attempt')} are bad, and the limit is ${percent(max)}`;
    case 'budget_usd':
      return `${of} ${money(value)} ${spentWords(reached)}, and the budget is ${money(max)}`;
    case 'budget_tokens':
      return `${of} ${grouped(value)} tokens used, and the budget is ${grouped(max)}`;
    case 'budget_time':
      return `${of} ${duration(value)} of work, and the budget is ${duration(max)}`;
    default:
      return unreachable(limit);
  }
}

/** `budget of write: $8.20 of $10.00 spent (82 %)`: how far something is that may come to an end. */
export function spendingWords(spending: Spending): string {
  const { phase, limit, value, max } = spending;
  const what = isBudget(limit) ? 'budget' : 'limit';
  const share = max > 0 ? ` (${Math.floor((value / max) * 100)} %)` : '';
  return `${what} of ${phase === '' ? 'the whole run' : plain(phase)}: ${amounts(spending)}${share}`;
}

function amounts(spending: Spending): string {
  const { limit, value, max } = spending;
  switch (limit) {
    case 'attempts':
      return `${value} of ${count(max, 'attempt')}`;
    case 'consecutive_failures':
      return `${value} of ${count(max, 'bad attempt')} in a row`;
    case 'retry_rate':
      return `${percent(value)} retries of ${percent(max)}`;
    case 'reject_rate':
      return `${percent(value)} bad attempts of ${percent(max)}`;
    case 'budget_usd':
      return `${money(value)} of ${money(max)} ${spentWords(spending)}`;
    case 'budget_tokens':
      return `${grouped(value)} of ${grouped(max)} tokens used`;
    case 'budget_time':
      return `${duration(value)} of ${duration(max)} used`;
    default:
      return unreachable(limit);
  }
}

/** `spent, $0.02 of it in doubt, since more was granted ($0.10 before)`. */
function spentWords({ doubt, before }: Spending): string {
  return [
    'spent',
    ...(doubt === undefined ? [] : [`, up to ${money(doubt)} of it in doubt`]),
    ...(before === undefined ? [] : [` since more was granted (${money(before)} before)`]),
  ].join('');
}

function isBudget(limit: Spending['limit']): limit is BudgetLimit {
  return limit === 'budget_usd' || limit === 'budget_tokens' || limit === 'budget_time';
}

/** With a decimal where there is one: a rate just above its limit must not look the same. */
function percent(rate: number): string {
  return `${Number((rate * 100).toFixed(1))} %`;
}
