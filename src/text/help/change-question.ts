import type { AnswerEffect, AnswerEffects } from '../../engine/show/answer-effects.ts';
import type { RerunAbove } from '../../model/failure.ts';
import type { Refusal } from '../../model/reason.ts';
import { changedLines } from '../catalogue/refusals.ts';
import { aboveWords } from '../catalogue/rerun-above.ts';
import { callsCost } from '../phrases/planned-calls.ts';
import { stepList } from '../phrases/steps.ts';
import type { Style } from '../style/style.ts';
import { count, roughTime } from '../style/words.ts';

/* The question that a refusal is in a terminal. */

type Asking =
  | { readonly reason: 'refused'; readonly refusals: readonly Refusal[] }
  | ({ readonly reason: 'rerun-above' } & RerunAbove);

export const changeQuestion = 'These changes affect finished steps. What now?';

/** What changed, then what each answer would do. */
export function changeQuestionLines(asking: Asking, { rerun, keep }: AnswerEffects, style: Style): string[] {
  const changes = asking.reason === 'refused' ? asking.refusals : asking.changes;
  return [
    ...changedLines(changes, style),
    ...(asking.reason === 'rerun-above' ? [`  ${aboveWords(asking)}`] : []),
    ...(rerun === undefined ? [] : effectLines('re-run', rerun)),
    ...(keep === undefined ? [] : effectLines('keep', keep)),
  ];
}

export function changeChoices({ rerun, keep }: AnswerEffects): { value: string; label: string }[] {
  return [
    ...(rerun === undefined ? [] : [{ value: 'rerun', label: 'Re-run the affected steps' }]),
    ...(keep === undefined ? [] : [{ value: 'keep', label: 'Keep the results, marked as outdated' }]),
    { value: 'diff', label: 'Show the differences' },
    { value: 'cancel', label: 'Cancel: change nothing' },
  ];
}

export function reasonQuestion(answer: 'rerun' | 'keep'): string {
  return answer === 'rerun' ? 'Why re-run them? (one line, recorded)' : 'Why keep them? (one line, recorded)';
}

/** The steps that would run, their price and how long they may take. */
function effectLines(answer: string, { again, maybe, first, calls, ms }: AnswerEffect): string[] {
  const lines = [
    ...(again.length > 0 ? [`${count(again.length, 'step')} again: ${stepList(again)}`] : []),
    ...(maybe.length > 0 ? [`then, if an input changes: ${stepList(maybe)}`] : []),
    ...(first.length > 0 ? [`${count(first.length, 'step')} without a result: ${stepList(first)}`] : []),
  ];
  const head = `  ${`${answer}:`.padEnd(headLength)}`;
  if (lines.length === 0) return [`${head}nothing runs`];
  const figures = [callsCost(calls), ms === undefined ? undefined : `about ${roughTime(ms)}`];
  const known = figures.filter((figure) => figure !== undefined).join(', ');
  const below = ' '.repeat(head.length);
  return [...lines, ...(known === '' ? [] : [known])].map((line, at) => `${at === 0 ? head : below}${line}`);
}

const headLength = 8;
