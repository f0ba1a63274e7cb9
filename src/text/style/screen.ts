import { visibleLength } from './table.ts';

/**
 * Text as it is printed: a command to copy stands on a line of its own, and prose is broken between words where a
 * terminal has so many columns. Commands, excerpts of files and lines of a diff are never broken, because a copied line
 * has to be whole.
 */
export function screenText(text: string, columns: number | undefined): string {
  const lines = text.split('\n').flatMap(commandApart);
  if (columns === undefined || columns <= 0) return lines.join('\n');
  return lines.flatMap((line) => wrappedLine(line, columns)).join('\n');
}

/** `→ to continue: pawl run` becomes two lines. */
function commandApart(line: string): string[] {
  const shown = line.replaceAll(colour, '');
  const match = isData(shown) || shown.startsWith('usage:') ? null : commandAtEnd.exec(line);
  if (match === null) return [line];
  const { indent } = beginOf(shown);
  return [`${match[1]}:`, `${' '.repeat(indent + commandIndent)}${match[2]}`];
}

const commandAtEnd = /^(.*?\S): ((?:pawl|npm|npx) [a-z-].*)$/;
const commandIndent = 4;

function wrappedLine(line: string, columns: number): string[] {
  if (visibleLength(line) <= columns) return [line];
  const shown = line.replaceAll(colour, '');
  if (isData(shown) || isCommand.test(shown)) return [line];
  const hang = hangOf(shown, columns);
  const lines: string[] = [];
  let current = '';
  let width = 0;
  let isEmpty = true;
  for (const [, space = '', word = ''] of line.matchAll(/( *)([^ ]+)/g)) {
    const wordWidth = visibleLength(word);
    if (!isEmpty && width + space.length + wordWidth > columns) {
      lines.push(current);
      current = ' '.repeat(hang) + word;
      width = hang + wordWidth;
    } else {
      current += space + word;
      width += space.length + wordWidth;
    }
    isEmpty = false;
  }
  return [...lines, current];
}

/** Where the lines after the first begin: below the text of a list item, or below the last column of a table. */
function hangOf(shown: string, columns: number): number {
  const { indent, text } = beginOf(shown);
  let hang = text > columns / 2 ? indent : text;
  for (const { 0: gap, index } of shown.matchAll(/(?<=\S) {2,}(?=\S)/g)) {
    const column = visibleLength(shown.slice(0, index + gap.length));
    if (column <= columns * hangShareMax) hang = Math.max(hang, column);
  }
  return hang;
}

const hangShareMax = 0.6;

/** The columns where a line begins, and where its text does after the mark of a list item. */
function beginOf(shown: string): { readonly indent: number; readonly text: number } {
  const [whole = '', indent = ''] = /^( *)(?:(?:[^\sA-Za-z0-9"'([{/]{1,3}|x|\d+\.) )? */.exec(shown) ?? [];
  return { indent: indent.length, text: visibleLength(whole) };
}

/** An excerpt behind a bar, or a line of a diff. */
function isData(shown: string): boolean {
  return /^ *\| /.test(shown) || /^(?:[-+](?! \S)| \S)/.test(shown);
}

const isCommand = /^ {2,}(?:pawl|npm|npx) [a-z-]/;
const colour = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
