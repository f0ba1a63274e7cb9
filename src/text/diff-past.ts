import type { DiffAttemptsAnswer } from '../engine/show/diff-attempts.ts';
import type { DiffRunsAnswer, StepDifference } from '../engine/show/diff-runs.ts';
import type { PartDifference } from '../engine/show/part-difference.ts';
import { plain } from './style/plain.ts';
import type { Style } from './style/style.ts';
import { wrapped } from './style/table.ts';
import { oneDiff } from './style/text-diff.ts';
import { bytes, count, list, short, stepLabel } from './style/words.ts';

/** Two attempts at a step: texts line by line, the rest by size and hash. */
export function diffAttemptsText(answer: DiffAttemptsAnswer, style: Style): string {
  const { unit, phase, attempts, differences, same } = answer;
  const [before, after] = attempts;
  const title = `${style.paint.bold(stepLabel(unit, phase))} attempt ${before} ${style.symbols.becomes} attempt ${after}`;
  if (differences.length === 0) return `${title}: everything is the same`;
  return [
    title,
    ...differences.flatMap((one) =>
      one.diff === undefined ? hashLines(one, style) : oneDiff(one.diff, style),
    ),
    ...(same.length === 0 ? [] : wrapped(`the same: ${list(same.map(plain))}`, style.width)),
  ].join('\n');
}

function hashLines({ name, before, after }: PartDifference, style: Style): string[] {
  const side = (part: PartDifference['before']) => {
    if (part === undefined) return 'not there';
    return part.size === undefined ? short(part.hash) : `${short(part.hash)}, ${bytes(part.size)}`;
  };
  return [`${style.paint.bold(plain(name))}  ${side(before)} ${style.symbols.becomes} ${side(after)}`];
}

/** Which steps of two runs differ, and in what. */
export function diffRunsText({ runs, steps, same }: DiffRunsAnswer, style: Style): string {
  const [first, second] = runs.map(({ run }) => plain(run));
  const title = `${first} ${style.symbols.becomes} ${second}`;
  const last = `${count(steps.length, 'step differs', 'steps differ')}, ${same} the same`;
  const shown = steps.slice(0, stepsMax);
  const rest = steps.length - shown.length;
  return [
    title,
    ...shown.flatMap((step) => stepLines(step, style)),
    ...(rest > 0 ? [`  ${style.symbols.more} and ${count(rest, 'more step')} (--json lists all)`] : []),
    last,
  ].join('\n');
}

const stepsMax = 100;

function stepLines({ unit, phase, only, differences }: StepDifference, style: Style): string[] {
  const words =
    only === undefined
      ? list(differences.map(({ name }) => plain(name)))
      : `has a result in the ${only} run only`;
  const [first = '', ...rest] = wrapped(`${stepLabel(unit, phase)}: ${words}`, style.width - 4);
  return [`  ${first}`, ...rest.map((line) => `    ${line}`)];
}
