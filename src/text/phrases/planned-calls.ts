import type { PlannedBudget, PlannedCalls, PlannedModel } from '../../engine/observe/planned-answer.ts';
import { grouped, money } from '../style/figures.ts';
import { plain } from '../style/plain.ts';
import { count, list } from '../style/words.ts';

/** The planned model calls, the expected cost of other phases, and the sum. */
export function plannedCallLines(calls: PlannedCalls | undefined): string[] {
  if (calls === undefined) return [];
  const { models, others, usd, usdMax } = calls;
  const priced = models.filter((model) => model.usd !== undefined).length + others.length;
  return [
    ...models.map(modelLine),
    ...others.map(
      ({ phase, steps, usd: cost }) =>
        `  cost     ${plain(phase)}: ${count(steps, 'step')}; about ${money(cost)}, by what it reported before`,
    ),
    ...(priced > 1 ? [`  cost     in all ${rangeWords(usd, usdMax, models.every(isBounded))}`] : []),
    ...calls.budgets.map(budgetLine),
  ];
}

/** The sum; undefined if nothing has a price. */
export function callsCost(calls: PlannedCalls | undefined): string | undefined {
  if (calls === undefined) return undefined;
  const { models, others, usd, usdMax } = calls;
  const isPriced = models.some((model) => model.usd !== undefined) || others.length > 0;
  return isPriced ? rangeWords(usd, usdMax, models.every(isBounded)) : undefined;
}

function modelLine(planned: PlannedModel): string {
  const { model, phases, ready, waiting, inputTokens, usd, usdMax } = planned;
  const known = ready === 0 ? '' : `, about ${grouped(inputTokens)} tokens to send now`;
  const later = waiting === 0 ? '' : `, ${waiting} of them later`;
  const cost =
    usd === undefined || usdMax === undefined
      ? 'no price is known'
      : rangeWords(usd, usdMax, isBounded(planned));
  return `  ask      ${plain(model)} for ${list(phases.map(plain))}: ${count(ready + waiting, 'call')}${later}${known}; ${cost}`;
}

function budgetLine({ phase, limit, left, max }: PlannedBudget): string {
  const of = phase === '' ? '' : `${plain(phase)}: `;
  const words =
    limit === 'budget_usd'
      ? `${money(left)} left of ${money(max)}`
      : `${grouped(left)} left of ${grouped(max)} tokens`;
  return `  budget   ${of}${words}`;
}

function isBounded({ isBounded: is }: PlannedModel): boolean {
  return is;
}

/** `about $0.02 (at most $1.03)`. An answer without `max_tokens` has no limit that is known. */
function rangeWords(usd: number, usdMax: number, hasLimit: boolean): string {
  if (usdMax === 0) return `about ${money(0)}`;
  if (!hasLimit) return `about ${money(usd)} (no limit: max_tokens is not set)`;
  if (money(usd) === money(usdMax)) return `at most ${money(usdMax)}`;
  return `about ${money(usd)} (at most ${money(usdMax)})`;
}
