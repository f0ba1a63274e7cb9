import type { CostAnswer, CostRow } from '../engine/show/call-answers.ts';
import type { Cost } from '../model/event.ts';
import type { Spending } from '../model/reason.ts';
import { headingLine } from './phrases/heading.ts';
import { spendingWords } from './phrases/spending.ts';
import { cacheWords, grouped, money } from './style/figures.ts';
import { clip, plain } from './style/plain.ts';
import type { Style } from './style/style.ts';
import { table } from './style/table.ts';
import { list } from './style/words.ts';

/** A line for each of them, all together, how far the budgets are, and what could not be counted. */
export function costText(answer: CostAnswer, style: Style): string {
  return [
    answer.heading === undefined ? 'all runs' : headingLine(answer.heading, style),
    ...(answer.total.calls === 0 && answer.rows.length === 0
      ? ['no model was asked so far']
      : ['', ...costTable(answer, style), ...cacheLines(answer.total), '']),
    ...answer.budgets.map((budget) => budgetLine(budget, style)),
    ...unpricedLines(answer, style),
  ]
    .join('\n')
    .trimEnd();
}

const rowsMax = 50;
const nameLengthMax = 48;

function costTable({ by, rows, total }: CostAnswer, style: Style): string[] {
  const { symbols, paint } = style;
  const shown = rows.slice(0, rowsMax);
  const lines = table(
    [
      [by, 'calls', 'tokens in', 'out', 'spent', 'wasted', 'saved', 'in doubt'],
      ...shown.map((row) => rowSteps(row, clip(plain(row.name), nameLengthMax, symbols.more))),
      rowSteps(total, 'total'),
    ],
    1,
  );
  const totalLine = paint.bold(lines.pop() ?? '');
  const rest = rows.length - shown.length;
  return [...lines, ...(rest > 0 ? [`${symbols.more} and ${rest} more (--json lists all)`] : []), totalLine];
}

function rowSteps({ calls, spent, wasted, saved, inDoubt }: CostRow, name: string): string[] {
  return [
    name,
    grouped(calls),
    tokens(spent.inputTokens),
    tokens(spent.outputTokens),
    amount(spent),
    amount(wasted),
    amount(saved),
    doubtful(inDoubt),
  ];
}

function tokens(number = 0): string {
  return number === 0 ? nothing : grouped(number);
}

/** Tokens without a price are not free: nobody knows what they cost. */
function amount({ usd, inputTokens = 0, outputTokens = 0 }: Cost): string {
  if (inputTokens + outputTokens > 0) return usd === undefined ? 'no price' : money(usd);
  return usd === undefined || usd === 0 ? nothing : money(usd);
}

/** `2, up to $0.05`. */
function doubtful({ calls, usd }: CostRow['inDoubt']): string {
  if (calls === 0) return nothing;
  return usd > 0 ? `${grouped(calls)}, up to ${money(usd)}` : grouped(calls);
}

const nothing = '-';

function cacheLines({ spent }: CostRow): string[] {
  const words = cacheWords(spent);
  return words === '' ? [] : [`of the tokens in: ${words}`];
}

function budgetLine(budget: Spending, { paint, symbols }: Style): string {
  const words = spendingWords(budget);
  return budget.value < budget.max ? words : `${paint.yellow(symbols.warning)} ${words}`;
}

function unpricedLines({ unpriced }: CostAnswer, { paint, symbols }: Style): string[] {
  if (unpriced.length === 0) return [];
  const names = list(unpriced.map(plain));
  return [
    `${paint.yellow(symbols.warning)} no price is known for ${names}: tokens are counted, and money is not`,
    `    to set it: models.prices in the manifest, with input and output in USD per million tokens; it changes no result`,
  ];
}
