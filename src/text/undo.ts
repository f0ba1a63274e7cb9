import type { BroughtBackAnswer, BroughtBackStep } from '../engine/people/undo/answers.ts';
import { decidedByWords, decisionTitle } from './history.ts';
import { hint } from './phrases/hints.ts';
import { plain } from './style/plain.ts';
import type { Style } from './style/style.ts';
import { table, visibleLength, wrapped } from './style/table.ts';
import { count, list, readerTime, stepLabel } from './style/words.ts';

/** What was taken back, or would be. */
export function broughtBackText(answer: BroughtBackAnswer, style: Style): string {
  const { paint, symbols } = style;
  const { heading, steps, open, done } = answer;
  const outdated = steps.filter(({ isOutdated }) => isOutdated).length;
  const kept = outdated === 0 ? '' : `, ${outdated} outdated (kept)`;
  const what = `${count(steps.length, 'step')} ${done ? 'restored' : 'to restore'}${kept}`;
  const mark = done ? paint.green(symbols.good) : paint.yellow(symbols.asks);
  const next =
    open.length === 0
      ? ['The next run starts no step for this.']
      : [
          `Not done: ${list(open.map(plain))}.`,
          `What the next run would do: ${hint('plan', heading.workspace)}`,
        ];
  return [
    ...previewLines(answer, style),
    ...wrapped(`${mark} ${what}${done ? '; nothing was deleted' : '; nothing was changed'}`, style.width),
    ...next.flatMap((line) => wrapped(line, style.width - 2).map((part) => `  ${part}`)),
  ].join('\n');
}

/** The decisions, and what becomes of each step. */
export function previewLines({ decisions, steps, aside }: BroughtBackAnswer, style: Style): string[] {
  const { paint, symbols } = style;
  const titles = decisions.flatMap((entry) => {
    const reason = entry.reason === undefined ? '' : `; reason: ${plain(entry.reason)}`;
    return [
      `${readerTime(entry.at, style)}  ${paint.bold(decisionTitle(entry))}`,
      ...wrapped(`${decidedByWords(entry)}${reason}`, style.width - 2).map((line) => `  ${line}`),
    ];
  });
  const shown = steps.slice(0, stepsMax);
  const rowOf = (step: BroughtBackStep, outputs: string) => [
    stepLabel(step.unit, step.phase),
    attemptWords(step, symbols.becomes),
    [...(outputs === '' ? [] : [outputs]), ...keptWords(step)].join('; '),
  ];
  const named = table(shown.map((step) => rowOf(step, list(step.outputs.map(plain), 3))));
  const isWide = named.some((row) => visibleLength(row) + 2 > style.width);
  const counted = (step: BroughtBackStep) =>
    step.outputs.length === 0 ? '' : count(step.outputs.length, 'file');
  const rows = isWide ? table(shown.map((step) => rowOf(step, counted(step)))) : named;
  const rest = steps.length - shown.length;
  return [
    ...titles,
    ...rows.map((row) => `  ${row}`),
    ...(rest > 0 ? [`  ${symbols.more} and ${count(rest, 'more step')} (--json lists all)`] : []),
    ...aside.map(
      (path) => `  ${paint.yellow(symbols.warning)} ${plain(path)} moves to aside/: it was edited by hand`,
    ),
  ];
}

const stepsMax = 20;

function attemptWords({ from, to }: BroughtBackStep, arrow: string): string {
  if (from === to) return to === undefined ? 'no result' : `attempt ${to}`;
  const was = from === undefined ? 'no result' : `attempt ${from}`;
  return `${was} ${arrow} ${to === undefined ? 'no result' : `attempt ${to}`}`;
}

function keptWords({ isOutdated }: BroughtBackStep): string[] {
  return isOutdated ? ['outdated (kept)'] : [];
}
