/**
 * @typedef {object} Word Cells of a row side by side that look alike, without a space.
 * @property {number} column where it begins
 * @property {number} cells how many it takes up
 * @property {string} text
 * @property {string} style class names: `c` and the number of a colour, `b` bold, `d` dim
 */

/** A row of the screen. A symbol is a word of its own, as it may come from another font, with other widths. */
export function wordsOf(/** @type {import('@xterm/headless').IBufferLine} */ line) {
  /** @type {(Word & { kind: string })[]} */
  const words = [];
  for (let column = 0; column < line.length; column++) {
    const cell = line.getCell(column);
    const text = cell?.getChars() ?? '';
    // The second half of a wide character has no text either.
    if (cell === undefined || text.trim() === '') continue;
    const style = styleOf(cell);
    const kind = /^[!-~]$/.test(text) ? 'letter' : text;
    const last = words.at(-1);
    const goesOn = last !== undefined && last.column + last.cells === column;
    if (goesOn && last.style === style && last.kind === kind) {
      last.text += text;
      last.cells += cell.getWidth();
    } else words.push({ column, cells: cell.getWidth(), text, style, kind });
  }
  return words;
}

function styleOf(/** @type {import('@xterm/headless').IBufferCell} */ cell) {
  const isPlain = cell.isBgDefault() && !cell.isInverse() && !cell.isUnderline() && !cell.isItalic();
  const hasColour = cell.isFgPalette() && cell.getFgColor() < 16;
  if (!isPlain || (!cell.isFgDefault() && !hasColour))
    throw new Error(`the picture cannot show how "${cell.getChars()}" looks`);
  const names = [hasColour ? `c${cell.getFgColor()}` : '', cell.isBold() ? 'b' : '', cell.isDim() ? 'd' : ''];
  return names.filter((name) => name !== '').join(' ');
}
