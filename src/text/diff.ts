import type { DiffAnswer } from '../engine/show/diff.ts';
import type { DiffAttemptsAnswer } from '../engine/show/diff-attempts.ts';
import type { DiffRunsAnswer } from '../engine/show/diff-runs.ts';
import type { Refusal } from '../model/reason.ts';
import { groupRefusals } from './catalogue/refusals.ts';
import { diffAttemptsText, diffRunsText } from './diff-past.ts';
import type { Style } from './style/style.ts';
import { oneDiff } from './style/text-diff.ts';

/** What changed, line by line, in the form that everybody knows. */
export function diffText(answer: DiffAnswer | DiffAttemptsAnswer | DiffRunsAnswer, style: Style): string {
  if ('attempts' in answer) return diffAttemptsText(answer, style);
  if ('runs' in answer) return diffRunsText(answer, style);
  const { diffs, unshown } = answer;
  const lines = [...diffs.flatMap((diff) => oneDiff(diff, style)), ...unshownLines(unshown, style)];
  return lines.length === 0 ? 'nothing has changed' : lines.join('\n');
}

/** What is refused all the same is told as by whoever refuses it, but for the ways on. */
function unshownLines(unshown: readonly Refusal[], style: Style): string[] {
  return groupRefusals(unshown, style).flatMap(({ title, details }) => [
    style.paint.bold(title),
    ...details.map((detail) => `    ${detail}`),
  ]);
}
