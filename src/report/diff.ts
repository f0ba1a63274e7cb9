import { unreachable } from '../base/result.ts';
import type { DiffAnswer, TextDiff } from '../engine/answers.ts';
import { plain } from './words/plain.ts';
import type { Style } from './words/style.ts';
import { short } from './words/words.ts';

/** What changed, line by line, in the form that everybody knows. */
export function diffText({ diffs }: DiffAnswer, style: Style): string {
  if (diffs.length === 0) return 'nothing has changed';
  return diffs.flatMap((diff) => oneDiff(diff, style)).join('\n');
}

/** One comparison, with a heading. */
export function oneDiff({ title, before, after, lines }: TextDiff, style: Style): string[] {
  const { paint } = style;
  return [
    paint.bold(plain(title)),
    paint.red(`--- ${side(before)}`),
    paint.green(`+++ ${side(after)}`),
    ...lines.map((line) => diffLine(line, style)),
  ];
}

function side({ path, hash }: TextDiff['before']): string {
  return hash === undefined ? `${plain(path)} (not there)` : `${plain(path)} (${short(hash)})`;
}

export function diffLine({ kind, text }: TextDiff['lines'][number], { paint, symbols }: Style): string {
  const shown = plain(text.replaceAll('\t', '  '));
  switch (kind) {
    case 'same':
      return ` ${shown}`.trimEnd();
    case 'added':
      return paint.green(`+${shown}`);
    case 'removed':
      return paint.red(`-${shown}`);
    case 'gap':
      return paint.dim(symbols.more);
    default:
      return unreachable(kind);
  }
}
