import type { StoryEntry } from '../engine/observe/history-entry.ts';
import type { WhyAnswer } from '../engine/show/why.ts';
import { failureSentence } from './catalogue/attempt-failures.ts';
import { attemptReasonWords } from './catalogue/run-reasons.ts';
import { decidedByWords, decisionTitle } from './history.ts';
import { outcomeWords } from './phrases/outcome.ts';
import { costWords } from './style/figures.ts';
import { plain } from './style/plain.ts';
import type { Style } from './style/style.ts';
import { wrapped } from './style/table.ts';
import { count, duration, readerTime } from './style/words.ts';

/** Every attempt and decision, the newest last; of very many only the newest. */
export function storyLines({ story = [], verdict }: WhyAnswer, style: Style): string[] {
  if (story.length === 0) return [];
  const current = 'result' in verdict ? verdict.result.attempt : undefined;
  const hidden = Math.max(0, story.length - entriesMax);
  return [
    '  story',
    ...(hidden > 0
      ? [`    ${style.symbols.more} ${count(hidden, 'earlier entry', 'earlier entries')} (--json lists all)`]
      : []),
    ...story.slice(hidden).flatMap((entry) => entryLines(entry, current, style)),
  ];
}

const entriesMax = 30;

function entryLines(entry: StoryEntry, current: number | undefined, style: Style): string[] {
  const words =
    entry.attempt === undefined ? decisionWords(entry.decision) : attemptWords(entry.attempt, current, style);
  const [first = '', ...rest] = wrapped(words, style.width - timeRoom - 2);
  const time = style.paint.dim(readerTime(entry.at, style));
  return [`    ${time}  ${first}`, ...rest.map((line) => `${' '.repeat(timeRoom + 2)}${line}`)];
}

const timeRoom = '    2026-11-15 12:03:11  '.length;

function decisionWords(entry: NonNullable<StoryEntry['decision']>): string {
  const undone = entry.undoneBy === undefined ? '' : ' (taken back)';
  const reason = entry.reason === undefined ? '' : `: ${plain(entry.reason)}`;
  return `${decisionTitle(entry)}${undone}, ${decidedByWords(entry)}${reason}`;
}

function attemptWords(
  attempt: NonNullable<StoryEntry['attempt']>,
  current: number | undefined,
  style: Style,
): string {
  const { attempt: number, iteration, why, ms, cost, failure, facts } = attempt;
  const round = iteration > 1 ? `, round ${iteration}` : '';
  const isCurrent = attempt.superseded === undefined && number === current;
  const took = ms === undefined ? '' : ` after ${duration(ms)}`;
  const isTakenIn = attempt.outputs.some(({ isAdopted }) => isAdopted);
  const outcome = isCurrent && (why !== undefined || !isTakenIn) ? 'succeeded' : outcomeWords(attempt);
  // What was adopted without an attempt never started, so nothing has a reason.
  const because =
    why !== undefined ? [attemptReasonWords(why, style)] : isTakenIn ? [] : ['reason not recorded'];
  return [
    `attempt ${number}${round}: ${[...because, `${outcome}${took}`].join('; ')}`,
    ...(failure === undefined ? [] : [failureSentence(failure, facts)]),
    ...(costWords(cost) === '' ? [] : [costWords(cost)]),
    ...(isCurrent ? ['the result that counts'] : []),
  ].join('; ');
}
