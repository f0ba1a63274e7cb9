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
