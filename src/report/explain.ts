import type { Explanation } from './explain/explanation.ts';
import type { Style } from './words/style.ts';
import { wrapped } from './words/wrap.ts';

/*
 * The words of `pawl explain`. The texts themselves are in `explain/`, which only the command loads: every other answer
 * is told without them.
 */

/** What `pawl explain` answers: one word, all of them, or the exit codes. */
export type ExplainAnswer =
  | { readonly reason: string; readonly meanings: readonly Meaning[] }
  | { readonly kinds: readonly KindOfReasons[] }
  | { readonly exitCodes: readonly ExitCodeLine[] };

/** What a word means where it is of one kind. */
export interface Meaning extends Omit<Explanation, 'follows'> {
  readonly kind: ReasonKind;
  /** What Pawl does about it. */
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
  pause: 'why a provider makes a call wait',
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
} as const;

export function explainText(answer: ExplainAnswer, style: Style): string {
  if ('exitCodes' in answer) return exitCodesText(answer.exitCodes);
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
  { reason, meanings }: Extract<ExplainAnswer, { reason: string }>,
  style: Style,
): string {
  return meanings.map((meaning) => meaningLines(reason, meaning, style).join('\n')).join('\n\n');
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
    ...paragraph(then),
    ...ways.map((way) => `  ${paint.cyan(symbols.becomes)} ${way}`),
    `  ${paint.dim(`${code}more: ${page}`)}`,
  ];
}

function listText(kinds: readonly KindOfReasons[], { paint, width }: Style): string {
  return [
    ...kinds.flatMap(({ title, reasons }) => [
      paint.bold(title),
      ...indented(reasons.join(' '), '  ', width),
      '',
    ]),
    'pawl explain REASON says more about one of them; pawl help exit-codes lists the exit codes.',
  ].join('\n');
}

/** On a wide screen lines are no longer than people like to read. */
function indented(text: string, indent: string, width: number): string[] {
  const room = Math.max(lineLengthMin, Math.min(width, lineLengthMax) - indent.length - 1);
  return wrapped(text, room).map((line) => `${indent}${line}`);
}

const lineLengthMin = 20;
const lineLengthMax = 100;
