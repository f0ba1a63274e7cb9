import stringWidth from 'fast-string-width';

/**
 * Rows with aligned columns, two spaces between them. Colours take no room. Columns from `rightFrom` on end below
 * each other: numbers are compared by their last digit.
 */
export function table(rows: readonly (readonly string[])[], rightFrom = Number.POSITIVE_INFINITY): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((text, column) => {
      widths[column] = Math.max(widths[column] ?? 0, visibleLength(text));
    });
  }
  return rows.map((row) =>
    row
      .map((text, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - visibleLength(text));
        return column < rightFrom ? text + space : space + text;
      })
      .join('  ')
      .trimEnd(),
  );
}

/** Columns on the screen: colours take none, and a wide character takes two. */
export function visibleLength(text: string): number {
  return isAscii.test(text) ? text.length : stringWidth(text);
}

const isAscii = /^[ -~]*$/;

/** Broken between words; a word that is longer than a line stays whole. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length > width && line !== '') {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** On a wide screen lines are no longer than people like to read. */
export function indented(text: string, indent: string, width: number): string[] {
  const room = Math.max(lineLengthMin, Math.min(width, lineLengthMax) - indent.length - 1);
  return wrapped(text, room).map((line) => `${indent}${line}`);
}

const lineLengthMin = 20;
export const lineLengthMax = 100;
