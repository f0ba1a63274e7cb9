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

/** Characters on the screen: colours are orders to the terminal and take none. */
export function visibleLength(text: string): number {
  return text.replaceAll(colour, '').length;
}

const colour = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
