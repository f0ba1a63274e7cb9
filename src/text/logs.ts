import { unreachable } from '../base/result.ts';
import type { LogsAnswer } from '../engine/observe/logs-answer.ts';
import type { ManyLogsAnswer } from '../engine/show/logs.ts';
import { failureSentence } from './catalogue/attempt-failures.ts';
import { tellingReason } from './catalogue/run-reasons.ts';
import { headingLine } from './phrases/heading.ts';
import { hint } from './phrases/hints.ts';
import { costWords } from './style/figures.ts';
import { plain, plainLines } from './style/plain.ts';
import type { Style } from './style/style.ts';
import { wrapped } from './style/table.ts';
import { count, duration, stepLabel, time } from './style/words.ts';

type Attempt = LogsAnswer['attempts'][number];

/** What attempts at a step left behind. What the files hold is data and shown as such, behind a bar. */
export function logsText(answer: LogsAnswer, style: Style): string {
  const { unit, phase, attempts } = answer;
  const name = style.paint.bold(stepLabel(unit, phase));
  if (attempts.length === 0) return `${name} never ran: there is no log`;
  return [
    ...attempts.flatMap((attempt) => attemptLines(name, attempt, style)),
    ...moreLines(answer, style),
  ].join('\n');
}

/** Every step that was asked for, each with the end of what its newest attempt said. */
export function manyLogsText({ heading, onlyFailed, steps }: ManyLogsAnswer, style: Style): string {
  const [first] = steps;
  if (first === undefined)
    return `${headingLine(heading, style)}: ${onlyFailed ? 'no step has failed' : 'no selected step ever ran'}`;
  const what = onlyFailed ? 'failed step' : 'step';
  const shown = steps.slice(0, stepsShownMax);
  const rest = steps.length - shown.length;
  return [
    ...shown.flatMap(({ unit, phase, attempts }) =>
      attempts.flatMap((attempt) => attemptLines(style.paint.bold(stepLabel(unit, phase)), attempt, style)),
    ),
    ...(rest > 0 ? [`${style.symbols.more} and ${count(rest, `more ${what}`)} (--json lists all)`] : []),
    `${count(steps.length, what)}; the whole log of the first:`,
    `  ${hint('logs', heading.workspace, `${first.unit}/${first.phase}`)}`,
  ].join('\n');
}

const stepsShownMax = 50;

function attemptLines(name: string, attempt: Attempt, style: Style): string[] {
  const { paint } = style;
  const lines = [attemptHead(name, attempt, style)];
  const why = tellingReason(attempt.why, style);
  if (why !== undefined) lines.push(...wrapped(`why: ${why}`, style.width - 2).map((line) => `  ${line}`));
  const called = callWords(attempt);
  if (called !== '') lines.push(`  ${called}`);
  const errors = attempt.files.find(({ kind }) => kind === 'error')?.text ?? '';
  if (attempt.failure !== undefined) lines.push(failureLine(attempt.failure, attempt, style));
  if (!isShownBelow(attempt.message, errors)) lines.push(...barred(attempt.message ?? '', style));
  if (attempt.folder !== undefined) lines.push(`  folder: ${plain(attempt.folder)}`);
  for (const { name: file, kind, text, cut } of attempt.files) {
    if (text === '') continue;
    const shade = kind === 'error' ? paint.red : undefined;
    lines.push(
      `  ${(shade ?? paint.bold)(plain(file))}${cut ? ' (only the end; the whole is in the folder)' : ''}`,
    );
    lines.push(...barred(text, style, shade));
  }
  return lines;
}

/** The message is often the end of stderr. */
function isShownBelow(message = '', errors: string): boolean {
  const [said, shown] = [message.trimEnd(), errors.trimEnd()];
  return said === '' || shown.endsWith(said) || (shown !== '' && said.endsWith(shown));
}

/** `a/draw attempt 2, started …, running`. */
export function attemptHead(name: string, attempt: Attempt, style: Style): string {
  const round = attempt.iteration > 1 ? `, round ${attempt.iteration}` : '';
  const took = attempt.ms === undefined ? '' : ` after ${duration(attempt.ms)}`;
  const superseded = attempt.superseded ? ', superseded' : '';
  const reused = attempt.reused === undefined ? '' : `, reused from ${plain(attempt.reused)}`;
  return `${name} attempt ${attempt.attempt}${round}, started ${time(attempt.startedAt)}, ${outcomeWords(attempt.outcome, style)}${took}${reused}${superseded}`;
}

function failureLine(failure: string, { facts }: Attempt, { paint }: Style): string {
  return `  ${paint.red(failureSentence(failure, facts))}`;
}

/** The commands for what is not shown. */
function moreLines({ unit, phase, attempts, others = [] }: LogsAnswer, { path }: Style): string[] {
  const name = `${unit}/${phase}`;
  const lines: string[] = [];
  if (others.length > 0)
    lines.push(`  ${count(others.length, 'other attempt')}: ${hint('logs', path, name, '--attempt', 'all')}`);
  const [shown] = attempts;
  const files = shown?.otherFiles?.length ?? 0;
  if (attempts.length !== 1 || files === 0) return lines;
  const isNewest = others.every((other) => other < (shown?.attempt ?? 0));
  const which = isNewest ? [] : ['--attempt', String(shown?.attempt)];
  return [
    ...lines,
    `  prompt, request and context (${count(files, 'file')}): ${hint('logs', path, name, ...which, '--all')}`,
  ];
}

/** Which model answered, and what that cost; or whose answer it was. */
function callWords({ call, cost }: Attempt): string {
  if (call === undefined) return costWords(cost);
  const answered =
    call.answered === undefined || call.model.endsWith(`/${call.answered}`)
      ? ''
      : ` (${plain(call.answered)})`;
  return [
    `${plain(call.model)}${answered}`,
    ...(call.finish === undefined ? [] : [`ended with ${plain(call.finish)}`]),
    ...(call.request === undefined ? [] : [`request ${plain(call.request)}`]),
    ...(call.warnings ?? []).map((warning) => `${plain(warning)}`),
    ...(call.reused === undefined ? [] : [`the answer of ${plain(call.reused)}, nothing paid`]),
    ...(call.adopted === undefined ? [] : [`the answer that attempt ${call.adopted} had received`]),
    ...(cost === undefined ? [] : [costWords(cost)]),
  ].join(', ');
}

export function barred(
  text: string,
  style: Style,
  shade: (line: string) => string = (line) => line,
): string[] {
  return plainLines(text).map((line) => `  ${style.paint.dim('|')} ${shade(line)}`.trimEnd());
}

function outcomeWords(outcome: Attempt['outcome'], { paint }: Style): string {
  switch (outcome) {
    case 'succeeded':
      return paint.green('succeeded');
    case 'failed':
      return paint.red('failed');
    case 'released':
      return paint.dim('released');
    case 'interrupted':
      return paint.yellow('interrupted');
    case 'paused':
      return paint.yellow('paused');
    case 'running':
      return paint.cyan('running');
    case 'in-doubt':
      return paint.yellow('never ended: in doubt');
    default:
      return unreachable(outcome);
  }
}
