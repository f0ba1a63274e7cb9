import { unreachable } from '../../base/result.ts';
import type { TextDiff } from '../../engine/observe/text-diff.ts';
import { plain } from './plain.ts';
import type { Style } from './style.ts';
import { short } from './words.ts';

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
