import { type ExplainAnswer, type KindOfReasons, kindTitles, type Meaning } from './catalogue/kinds.ts';
import { exitCodesText } from './help/exit-code-help.ts';
import type { Style } from './style/style.ts';
import { indented, table } from './style/table.ts';

/* The words of `pawl explain`. The texts themselves are in `catalogue/`. */

export function explainText(answer: ExplainAnswer, style: Style): string {
  if ('exitCodes' in answer) return exitCodesText(answer.exitCodes);
  if ('overview' in answer) return overviewText(answer.overview, style);
  return 'kinds' in answer ? listText(answer.kinds, style) : meaningsText(answer, style);
}

function meaningsText(
  { reason, meanings, kind }: Extract<ExplainAnswer, { reason: string }>,
  style: Style,
): string {
  return [
    ...meanings.map((meaning) => meaningLines(reason, meaning, style)),
    ...(kind === undefined ? [] : [kindLines(kind, style)]),
  ]
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function meaningLines(
  reason: string,
  { kind, what, then, ways, exitCode, page }: Meaning,
  { paint, symbols, width }: Style,
): string[] {
  const paragraph = (text: string) => indented(text, '  ', width);
  const code = exitCode === undefined ? '' : `exit code ${exitCode}; `;
  return [
    `${paint.bold(reason)}: ${kindTitles[kind]}`,
    ...paragraph(what),
    ...(then === '' ? [] : paragraph(then)),
    ...ways.map((way) => `  ${paint.cyan(symbols.becomes)} ${way}`),
    `  ${paint.dim(`${code}more: ${page}`)}`,
  ];
}

function kindLines({ title, reasons }: KindOfReasons, { paint, width }: Style): string[] {
  return [paint.bold(title), ...indented(reasons.join(' '), '  ', width)];
}

function listText(kinds: readonly KindOfReasons[], style: Style): string {
  return [
    ...kinds.flatMap((kind) => [...kindLines(kind, style), '']),
    'To read more about one of them, add it to pawl explain. To list the exit codes: pawl help exit-codes',
  ].join('\n');
}

/** Hundreds of words are no answer: those for things, and how many there are for why something is so. */
function overviewText(kinds: readonly KindOfReasons[], style: Style): string {
  const { paint, width } = style;
  const words = kinds.flatMap(({ kind, reasons }) => (kind === 'word' ? reasons : []));
  const rows = kinds
    .filter(({ kind }) => kind !== 'word')
    .map(({ kind, title, reasons }) => [
      paint.cyan(kind),
      String(reasons.length).padStart(countWidth),
      title,
    ]);
  return [
    'pawl explain WORD says what a word means that Pawl uses, and what can be done about it.',
    '',
    paint.bold('words for things'),
    ...indented(words.join(' '), '  ', width),
    '',
    paint.bold('words for why something is so, by kind'),
    ...table(rows).map((row) => `  ${row}`),
    '',
    'To list the words of one kind, such as guard: pawl explain guard',
    'To list all of them: pawl explain --all',
    'To list the exit codes: pawl help exit-codes',
  ].join('\n');
}

const countWidth = 3;
