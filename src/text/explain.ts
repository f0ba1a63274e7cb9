import type { Explanation } from './explain/explanation.ts';
import type { Style } from './words/style.ts';
import { table } from './words/table.ts';
import { wrapped } from './words/wrap.ts';

/*
 * The words of `pawl explain`. The texts themselves are in `explain/`, which only the command loads: every other answer
 * is told without them.
 */

/** What `pawl explain` answers: one word, all of them, how many there are of each kind, or the exit codes. */
export type ExplainAnswer =
  | {
      readonly reason: string;
      readonly meanings: readonly Meaning[];
      /** Where a kind is called so. */
      readonly kind?: KindOfReasons;
    }
  | { readonly kinds: readonly KindOfReasons[] }
  | { readonly overview: readonly KindOfReasons[] }
  | { readonly exitCodes: readonly ExitCodeLine[] };

/** What a word means where it is of one kind. */
export interface Meaning extends Omit<Explanation, 'follows'> {
  readonly kind: ReasonKind;
  /** What Pawl does about it; nothing of a word for a thing. */
  readonly then: string;
}

export interface KindOfReasons {
  readonly kind: ReasonKind;
  readonly title: string;
  readonly reasons: readonly string[];
}

/** One exit code, for people and scripts. */
export interface ExitCodeLine {
  readonly code: number;
  readonly name: string;
  readonly means: string;
  /** When a command ends so. */
  readonly example: string;
}

export type ReasonKind = keyof typeof kindTitles;

/** In the order in which they are listed: what people meet most stands first. */
export const kindTitles = {
  word: 'a word of Pawl',
  'run-reason': 'why a phase runs',
  skip: 'why a phase need not run',
  guard: 'what refuses to go on',
  stop: 'why a unit cannot go on',
  'attempt-failure': 'why an attempt failed',
  failure: 'why a command did not do what it was asked for',
  notice: 'what is worth telling and stops nothing',
  question: 'what a person is asked',
  'closed-question': 'why a question can no longer be answered',
  'gate-stop': 'why a gate’s loop has ended',
  pause: 'why a step has to wait',
  limit: 'what ends a whole run',
  'cell-status': 'where a phase of a unit stands',
  'run-status': 'where a run stands',
  'run-end': 'how a call of run or resume ended',
  'task-state': 'where a task stands',
  'no-task': 'why no task is handed out',
  'not-claimable': 'why a task cannot be claimed',
  'manifest-problem': 'what is wrong with a manifest',
  'usage-problem': 'what cannot be meant by a call',
  'call-problem': 'what is wrong with a command line',
  finding: 'what is not as it should be on disk',
  event: 'what stands in the journal',
  staleness: 'how far the brief can be trusted',
  'document-problem': 'why a document of others is left alone',
  'status-page-problem': 'what is wrong with a status page',
  'kept-run': 'why gc keeps a run',
  'notification-problem': 'why somebody was not told',
  'settings-problem': 'why settings of an agent were not changed',
  'install-note': 'what an installation leaves out',
  'exit-code': 'an exit code',
} as const;

export function explainText(answer: ExplainAnswer, style: Style): string {
  if ('exitCodes' in answer) return exitCodesText(answer.exitCodes);
  if ('overview' in answer) return overviewText(answer.overview, style);
  return 'kinds' in answer ? listText(answer.kinds, style) : meaningsText(answer, style);
}

/** Printed without a style: help knows nothing of the terminal. */
export function exitCodesText(codes: readonly ExitCodeLine[]): string {
  const lines = codes.flatMap(({ code, means, example }) => [
    `  ${String(code).padStart(codeWidth)}  ${means}`,
    ...indented(example, ' '.repeat(codeWidth + 6), lineLengthMax),
  ]);
  return [
    'exit codes, and when a command ends so',
    ...lines,
    '',
    'With --json the same number is exitCode, and reason says why.',
  ].join('\n');
}

const codeWidth = 3;

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

/** On a wide screen lines are no longer than people like to read. */
function indented(text: string, indent: string, width: number): string[] {
  const room = Math.max(lineLengthMin, Math.min(width, lineLengthMax) - indent.length - 1);
  return wrapped(text, room).map((line) => `${indent}${line}`);
}

const lineLengthMin = 20;
const lineLengthMax = 100;
