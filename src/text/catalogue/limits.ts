import { asksOf, type ReachedLimit } from '../../model/reason.ts';
import { hint } from '../phrases/hints.ts';
import { answerWays, raiseBudgetWords } from '../phrases/questions.ts';
import { isBudget, limitWords } from '../phrases/spending.ts';
import type { Style } from '../style/style.ts';

/** A line for each limit over all units and each budget that keeps a run from going on, and the ways past it. */
export function limitLines(limits: readonly ReachedLimit[], style: Style): string[] {
  const { paint, symbols } = style;
  const asked = limits.filter((limit) => asksOf(limit) !== undefined);
  const firm = limits.filter((limit) => asksOf(limit) === undefined);
  const indented = (way: string) => `    ${way}`;
  return [
    ...firm.map((limit) => `${paint.red(symbols.bad)} ${limitWords(limit)}`),
    ...limitWays(firm, style).map(indented),
    ...asked.flatMap((limit) => [
      `${paint.yellow(symbols.asks)} ${limitWords(limit)}`,
      ...limitWays([limit], style).map(indented),
    ]),
  ];
}

/** How to go on past these limits, each way once. */
export function limitWays(
  limits: readonly ReachedLimit[],
  { path, narrowing = [] }: Pick<Style, 'path' | 'narrowing'>,
): string[] {
  return [
    ...new Set(
      limits.flatMap((limit) => {
        const asks = asksOf(limit);
        if (asks !== undefined) return answerWays(asks, path);
        return isBudget(limit.limit)
          ? [raiseBudgetWords]
          : [
              `raise the limit in the manifest, or continue past it: ${hint('run', path, undefined, ...narrowing, '--past-limits', '--reason', 'the cause was looked at')}`,
            ];
      }),
    ),
  ];
}
