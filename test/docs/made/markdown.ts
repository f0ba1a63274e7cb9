/** A table; the first row is its head. Bars within a cell are kept from ending it. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const [head = '', ...body] = rows.map((row) => `| ${row.map(inStep).join(' | ')} |`);
  return [head, `|${'---|'.repeat(rows[0]?.length ?? 0)}`, ...body, ''];
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** The words with a capital at their beginning. */
export function asHeading(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What is said most often; undefined where nothing is said more than once. */
export function mostCommon(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first === undefined || (first[1] === 1 && texts.length > 1) ? undefined : first[0];
}

function inStep(text: string): string {
  return text.replaceAll('|', '\\|');
}
