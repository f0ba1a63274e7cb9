import { unreachable } from '../base/result.ts';
import type { LogsAnswer } from '../engine/answers.ts';
import { failureSentence } from './troubles/attempt-failures.ts';
import { tellingReason } from './words/attempt-reason.ts';
import { costWords } from './words/figures.ts';
import { plain, plainLines } from './words/plain.ts';
import type { Style } from './words/style.ts';
import { cell, duration, time } from './words/words.ts';
import { wrapped } from './words/wrap.ts';

type Attempt = LogsAnswer['attempts'][number];

/** What each attempt at a cell left behind. What the files hold is data and shown as such, behind a bar. */
export function logsText({ unit, phase, attempts }: LogsAnswer, style: Style): string {
  const name = style.paint.bold(cell(unit, phase));
  if (attempts.length === 0) return `${name} never ran: there is no log`;
  return attempts.flatMap((attempt) => attemptLines(name, attempt, style)).join('\n');
}

function attemptLines(name: string, attempt: Attempt, style: Style): string[] {
  const { paint } = style;
  const round = attempt.iteration > 1 ? `, round ${attempt.iteration}` : '';
  const took = attempt.ms === undefined ? '' : ` after ${duration(attempt.ms)}`;
  const superseded = attempt.superseded ? ', superseded' : '';
  const lines = [
    `${name} attempt ${attempt.attempt}${round}, started ${time(attempt.startedAt)}, ${outcomeWords(attempt.outcome, style)}${took}${superseded}`,
  ];
  const why = tellingReason(attempt.why, style);
  if (why !== undefined) lines.push(...wrapped(`why: ${why}`, style.width - 2).map((line) => `  ${line}`));
  const called = callWords(attempt);
  if (called !== '') lines.push(`  ${called}`);
  if (attempt.failure !== undefined) lines.push(`  ${failureSentence(attempt.failure, attempt.facts)}`);
  lines.push(...barred(attempt.message ?? '', style));
  if (attempt.folder !== undefined) lines.push(`  folder: ${plain(attempt.folder)}`);
  for (const file of attempt.files) {
    lines.push(
      `  ${paint.bold(plain(file.name))}${file.cut ? ' (only the end; the whole is in the folder)' : ''}`,
    );
    lines.push(...barred(file.text, style));
  }
  return lines;
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

function barred(text: string, style: Style): string[] {
  return plainLines(text).map((line) => `  ${style.paint.dim('|')} ${line}`.trimEnd());
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
