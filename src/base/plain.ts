/*
 * Text from outside (unit data, errors, file names, what a model or a command said) is data. Before it is shown,
 * whatever could move the cursor, turn the text round or hide a part of it is made visible.
 */

/** One line of text that shows all it holds. */
export function plain(text: string): string {
  if (!unusual.test(text)) return text;
  return text.replaceAll(terminalSequence, '').replaceAll(unseen, show);
}

/** The lines of a longer text, each of them plain; without empty lines at the end. */
export function plainLines(text: string): string[] {
  const lines = text.split(lineEnd).map((line) => plain(line.replaceAll('\t', '  ')));
  while (lines.at(-1)?.trim() === '') lines.pop();
  return lines;
}

/** At most `lengthMax` characters, with a mark where something was left out. */
export function clip(text: string, lengthMax: number, mark: string): string {
  if (text.length <= lengthMax) return text;
  const kept = text.slice(0, Math.max(0, lengthMax - mark.length));
  // Half of a character that takes two code units is no character.
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}${mark}`.slice(0, lengthMax);
}

const unusual = /[^ -~]/;
const lineEnd = /\r\n|\r|\n/;

// Written as strings, so that this file itself holds nothing unseen.
const escapeCode = '\\u001b';
/** What a terminal takes as an order: `ESC [ … letter`, `ESC ] … BEL`, `ESC letter`. */
const terminalSequence = new RegExp(
  `${escapeCode}(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\u0007${escapeCode}]*(?:\\u0007|${escapeCode}\\\\)?|[@-Z\\\\-_])`,
  'g',
);
/** Letters that show as nothing: fillers and joiners that are no format characters by class. */
export const blanks = '\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u3164\\uffa0';
const unseen = new RegExp(`[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}${blanks}]`, 'gu');
function show(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return ' ';
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
