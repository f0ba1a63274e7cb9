import type { PromptAnswer } from '../engine/show/call-answers.ts';
import { failureTitle } from './catalogue/attempt-failures.ts';
import { pathOf } from './phrases/heading.ts';
import { hint } from './phrases/hints.ts';
import { grouped, money } from './style/figures.ts';
import { plain, plainLines } from './style/plain.ts';
import type { Style } from './style/style.ts';
import { bytes, list, short, stepLabel } from './style/words.ts';

/** The prompt as it would be sent, below a few lines about it; or only what has changed of it. */
export function promptText(answer: PromptAnswer, style: Style): string {
  const { system, text, unavailable, diff } = answer;
  if (unavailable !== undefined) return unavailableText(answer, unavailable, style);
  if (diff !== undefined) return diffText(answer, diff, style);
  return [
    ...headLines(answer, style),
    ...(system === undefined ? [] : ['', style.paint.dim('--- system'), ...shownLines(system)]),
    '',
    style.paint.dim('--- prompt'),
    ...shownLines(text),
  ].join('\n');
}

function unavailableText(
  { unit, phase, heading }: PromptAnswer,
  { reason, detail }: NonNullable<PromptAnswer['unavailable']>,
  style: Style,
): string {
  const { paint, symbols } = style;
  const [why = '', ...rest] = plainLines(detail);
  return [
    `${paint.yellow(symbols.warning)} ${paint.bold(stepLabel(unit, phase))} ${unseenWords(reason, why)}`,
    ...rest.map((line) => `    ${paint.dim('|')} ${line}`),
    `    to see where it stands: ${hint('status', pathOf(heading, style))}`,
  ].join('\n');
}

function unseenWords(reason: string, why: string): string {
  if (reason === 'no-prompt') return 'has no prompt: the manifest gives it none';
  if (reason === 'waits') return `has no prompt yet: it waits${why === '' ? '' : ` for ${why}`}`;
  return `has no prompt yet: ${failureTitle(reason)}${why === '' ? '' : ` (${why})`}`;
}

function diffText({ unit, phase, attempt, hash }: PromptAnswer, diff: string, style: Style): string {
  const { paint } = style;
  if (diff === '')
    return `the prompt of ${stepLabel(unit, phase)} is the one that attempt ${attempt ?? 1} was sent (${short(hash)})`;
  return shownLines(diff)
    .map((line) => (line.startsWith('+') ? paint.green(line) : line.startsWith('-') ? paint.red(line) : line))
    .join('\n');
}

function headLines(answer: PromptAnswer, style: Style): string[] {
  const { unit, phase, model, tokens, estimate, hash, attachments } = answer;
  const facts = [
    ...(model === undefined ? [] : [plain(model)]),
    `about ${grouped(tokens)} tokens`,
    ...(estimate === undefined ? [] : [`about ${money(estimate)}`]),
    short(hash),
  ];
  const attached = attachments.map(
    ({ name, path, size }) => `${plain(name)} (${plain(path)}, ${bytes(size)})`,
  );
  return [
    `${style.paint.bold(stepLabel(unit, phase))}: ${facts.join(', ')}`,
    sentWords(answer, style),
    ...(attached.length === 0 ? [] : [`attached: ${list(attached)}`]),
  ];
}

function sentWords({ unit, phase, attempt, hash, lastHash, heading }: PromptAnswer, style: Style): string {
  if (lastHash === undefined) return 'never sent so far';
  const last = `attempt ${attempt ?? 1}`;
  if (lastHash === hash) return `the same as ${last} was sent`;
  const look = hint('prompt', pathOf(heading, style), stepLabel(unit, phase));
  return `${last} was sent another one (${short(lastHash)}); to see the difference: ${look} --diff`;
}

/** A prompt is shown as it is sent, with its tabs and its empty lines; a line end at its end begins no other line. */
function shownLines(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.split('\t').map(plain).join('\t'));
  return lines.length > 1 && lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
