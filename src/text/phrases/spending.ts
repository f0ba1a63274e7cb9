import { unreachable } from '../../base/result.ts';
import type { BudgetLimit, BudgetShortfall, ReachedLimit, Spending } from '../../model/reason.ts';
import { grouped, money } from '../style/figures.ts';
import { plain } from '../style/plain.ts';
import { count, duration } from '../style/words.ts';

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
      return `${of} ${spentWords(reached)}, and the budget is ${money(max)}`;
    case 'budget_tokens':
      return `${of} ${grouped(value)} tokens used, and the budget is ${grouped(max)}`;
    case 'budget_time':
      return `${of} ${duration(value)} of work, and the budget is ${duration(max)}`;
    default:
      return unreachable(limit);
  }
}

/** `budget of write: $8.20 of $10.00 spent (82 %)`: how much of a limit is used. */
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
      return spending.doubt === undefined && spending.before === undefined
        ? `${money(value)} of ${money(max)} spent`
        : `${spentWords(spending)}, of ${money(max)}`;
    case 'budget_tokens':
      return `${grouped(value)} of ${grouped(max)} tokens used`;
    case 'budget_time':
      return `${duration(value)} of ${duration(max)} used`;
    default:
      return unreachable(limit);
  }
}

/** `$0.05 spent and up to $0.02 in doubt`: what is in doubt is no part of what is spent. */
function spentWords({ value, doubt, before }: Spending): string {
  // What was in doubt when more was granted may be settled since, so the two cannot be separated then.
  if (before !== undefined)
    return `${money(value)} spent${doubt === undefined ? '' : ' or in doubt'} since more was granted (${money(before)} before)`;
  if (doubt === undefined) return `${money(value)} spent`;
  return `${money(Math.max(0, value - doubt))} spent and up to ${money(doubt)} in doubt`;
}

/** What is planned against what is left, and what happens when it is used up. */
export function shortfallWords(short: BudgetShortfall): string {
  const { phase, limit, left, expected, atMost, isSure } = short;
  const words = (number: number) => (limit === 'budget_usd' ? money(number) : `${grouped(number)} tokens`);
  const what = `budget of ${phase === '' ? 'the whole run' : plain(phase)}: ${words(left)} left`;
  if (!isSure) return `${what}, and the plan may need up to ${words(atMost)}; at the limit the run asks`;
  const most = atMost > expected ? ` (at most ${words(atMost)})` : '';
  return `${what}, but the plan needs about ${words(expected)}${most}; at the limit the run asks`;
}

export function isBudget(limit: Spending['limit']): limit is BudgetLimit {
  return limit === 'budget_usd' || limit === 'budget_tokens' || limit === 'budget_time';
}

/** With a decimal where there is one: a rate just above its limit must not look the same. */
function percent(rate: number): string {
  return `${Number((rate * 100).toFixed(1))} %`;
}
