import { unreachable } from '../base/result.ts';
import type { CheckpointView } from '../engine/observe/questions.ts';
import type { CancelAnswer } from '../engine/people/cancel.ts';
import type {
  CheckpointsAnswer,
  DecideAnswer,
  ShowAnswer,
  ShownContent,
} from '../engine/people/checkpoints/answers.ts';
import { failureTitle } from './catalogue/attempt-failures.ts';
import { hint } from './phrases/hints.ts';
import { answerWays } from './phrases/questions.ts';
import { spendingWords } from './phrases/spending.ts';
import { money } from './style/figures.ts';
import { plain, plainLines } from './style/plain.ts';
import type { Style } from './style/style.ts';
import { oneDiff } from './style/text-diff.ts';
import { bytes, count, duration, short, stepLabel, time } from './style/words.ts';

/** What waits for whom, since when, and what it is about. */
export function checkpointsText({ heading, checkpoints, history }: CheckpointsAnswer, style: Style): string {
  const { paint, symbols } = style;
  const waiting = checkpoints.filter(({ state }) => state === 'waiting');
  const lines = checkpoints.flatMap((view) => viewLines(view, style));
  const unasked = checkpoints.filter(({ state }) => state === 'not-asked').length;
  if (lines.length === 0 && history) return 'nothing was ever asked';
  const [first] = waiting;
  const end =
    first !== undefined
      ? `${paint.yellow(symbols.asks)} ${count(waiting.length, 'question waits', 'questions wait')} for a person; to see what one is about: ${hint('show', heading.workspace, first.id ?? '')}`
      : unasked > 0
        ? `${paint.yellow(symbols.asks)} ${count(unasked, 'question is', 'questions are')} to be asked by the next run: ${hint('run', heading.workspace)}`
        : `${paint.green(symbols.good)} nothing waits for a person`;
  const all = history ? [`every decision of the run: ${hint('history', heading.workspace)}`] : [];
  return [...lines, end, ...all].join('\n');
}

/** One question whole: what it shows, how that differs from what was judged before, and the ways to answer. */
export function showText({ heading, checkpoint, files, attempts }: ShowAnswer, style: Style): string {
  const { paint } = style;
  const lines = viewLines(checkpoint, style);
  for (const tried of attempts) lines.push(...triedLines(tried));
  for (const file of files) lines.push('', ...fileLines(file, style));
  if (checkpoint.state === 'waiting') {
    lines.push('', paint.bold('to answer:'));
    lines.push(
      ...answerWays(checkpoint, heading.workspace)
        .slice(1)
        .map((way) => `  ${way}`),
    );
  }
  return lines.join('\n');
}

/** `goesOn`: the run is gone on with at once, and nobody has to be told how. */
export function decideText(
  { heading, checkpoint, decision, restart, already }: DecideAnswer,
  style: Style,
  { goesOn = false } = {},
): string {
  const { paint, symbols } = style;
  const what = `${plain(checkpoint.id ?? '')} ${plain(checkpoint.name)}`;
  const next = goesOn ? 'going on' : `to go on: ${hint('run', heading.workspace)}`;
  if (already)
    return `${paint.green(symbols.good)} ${what} was ${decision} before; nothing was written; ${next}`;
  const then =
    decision === 'approved'
      ? approvedWords(checkpoint, restart)
      : checkpoint.redo === undefined
        ? rejectedWords(checkpoint)
        : `${plain(checkpoint.redo)} is done again with the feedback, and asked about again`;
  return `${paint.green(symbols.good)} ${what} ${decision} and recorded; ${then}; ${next}`;
}

function approvedWords({ question }: CheckpointView, restart: string | undefined): string {
  if (restart !== undefined) return `${plain(restart)} and all that comes after it is done again`;
  if (question === 'attempts') return 'it may be tried as often again';
  if (question === 'interruptions') return 'it may be started again';
  if (question === 'budget') return 'as much may be spent again';
  return question === 'change' ? 'what was made is kept' : 'nothing before it runs again';
}

function rejectedWords({ question }: CheckpointView): string {
  return question === 'budget'
    ? 'nothing more is spent while the budget is what it is'
    : 'the unit stays where it is';
}

export function cancelText({ heading }: CancelAnswer, { paint, symbols }: Style): string {
  return `${paint.green(symbols.good)} run ${plain(heading.run)} is cancelled for good; its files stay where they are; to start fresh: ${hint('run', heading.workspace)}`;
}

function viewLines(view: CheckpointView, style: Style): string[] {
  const { paint, symbols } = style;
  const { id, name, unit, phase, state, shown, spending, askedAt, expires, decided } = view;
  const mark =
    state === 'approved'
      ? paint.green(symbols.good)
      : state === 'waiting'
        ? paint.yellow(symbols.asks)
        : paint.dim(state === 'rejected' ? symbols.bad : symbols.more);
  const where = unit === '' ? '' : ` ${paint.dim(stepLabel(unit, phase))}`;
  const since = askedAt === undefined ? '' : `, asked ${time(askedAt)}`;
  const until = expires === undefined || state !== 'waiting' ? '' : `, until ${time(expires)}`;
  const lines = [
    `${mark} ${paint.bold(plain(id ?? 'new'))} ${plain(name)}${where} ${stateWords(view)}${since}${until}`,
  ];
  if (spending !== undefined) lines.push(`    ${spendingWords(spending)}`);
  for (const { label, path, hash } of shown)
    lines.push(`    ${plain(path ?? label)} ${paint.dim(short(hash))}`);
  if (decided?.note !== undefined)
    lines.push(...plainLines(decided.note).map((line) => `    ${paint.dim('|')} ${line}`));
  return lines;
}

function stateWords({ state, decided }: CheckpointView): string {
  switch (state) {
    case 'waiting':
      return 'waits for a person';
    case 'not-asked':
      return 'is to be asked';
    case 'approved':
    case 'rejected': {
      // A box that was ticked on an imported page does not say where.
      const host = decided?.host ? ` on ${plain(decided.host)}` : '';
      const chosen = decided?.restart === undefined ? '' : `, restart from ${plain(decided.restart)}`;
      return `${state}${chosen} by ${plain(decided?.by ?? '')}${host} (${plain(decided?.channel ?? '')}) at ${time(decided?.at ?? '')}`;
    }
    case 'superseded':
      return 'is of no more use: what it was about has changed';
    case 'expired':
      return 'was asked too long ago';
    default:
      return unreachable(state);
  }
}

function triedLines({ attempt, failure, message, ms, cost }: ShowAnswer['attempts'][number]): string[] {
  const spent = [...(ms === undefined ? [] : [duration(ms)]), ...(cost?.usd ? [money(cost.usd)] : [])];
  const how = failure === undefined ? 'did not fail' : failureTitle(failure);
  return [
    `  attempt ${attempt}: ${how}${spent.length === 0 ? '' : ` (${spent.join(', ')})`}`,
    ...plainLines(message ?? '').map((line) => `    ${line}`),
  ];
}

function fileLines({ label, path, hash, text, size, diff }: ShownContent, style: Style): string[] {
  const { paint } = style;
  const title = `${paint.bold(plain(path ?? label))} ${paint.dim(`${short(hash)}, ${bytes(size)}`)}`;
  if (diff !== undefined) return [`${title} since it was judged last:`, ...oneDiff(diff, style)];
  if (text === undefined) return [title, '  (no text that could be shown)'];
  const lines = plainLines(text);
  const shown = lines.slice(0, linesMax).map((line) => `  ${line}`);
  const rest = lines.length - linesMax;
  return [title, ...shown, ...(rest > 0 ? [`  ${style.symbols.more} and ${count(rest, 'more line')}`] : [])];
}

const linesMax = 200;
