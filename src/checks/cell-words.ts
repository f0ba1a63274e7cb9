/**
 * The text of a heading or table cell without case, emphasis, code ticks, emoji and a final stop. Signs
 * inside stay, and so does what carries meaning: a line through a word, an empty box, a question mark,
 * brackets.
 */
export function bareText(text: string): string {
  const folded = [...fold(text)];
  const words = peel(folded, isLooks);
  // A verdict may be nothing but a sign.
  return /[\p{L}\p{N}]/u.test(words) ? words : peel(folded, isSpace);
}

/** Not filled in: it is empty, a placeholder in brackets, or says that it is still to be done. */
export function isLeftOpen(text: string): boolean {
  const words = bareText(text);
  if (words === '' || openSigns.test(words)) return true;
  return openWords.has(words) || beginsOpen(text) || isPlaceholder(words);
}

/** Filled in or not, it gives no reason: there is no word in it, or only one for nothing. */
export function saysNothing(text: string): boolean {
  if (isLeftOpen(text)) return true;
  const words = bareText(text.replace(/~~[^~]*~~/g, ' '));
  const inner = words.startsWith('(') && words.endsWith(')') ? words.slice(1, -1).trim() : words;
  return !/[\p{L}\p{N}]/u.test(inner) || emptyWords.has(inner) || openWords.has(inner);
}

function fold(text: string): string {
  return text
    .replace(/<br\s*\/?>|&nbsp;/gi, ' ')
    .replace(/&[mn]dash;|&#821[12];/gi, '—')
    .normalize('NFC')
    .replace(/\p{Cf}|\uFE0E|\uFE0F/gu, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();
}

/** Takes marks off in pairs, and looks from both ends, until neither is left. */
function peel(points: readonly string[], isOff: (point: string) => boolean): string {
  let from = 0;
  let to = points.length;
  for (;;) {
    const first = points[from] ?? '';
    const last = points[to - 1] ?? '';
    if (from >= to) return '';
    if (isOff(first)) from++;
    else if (isOff(last) || (isStop(last) && !isStop(points[to - 2] ?? ''))) to--;
    else if (to - from > 1 && first === last && isMark(first)) {
      from++;
      to--;
    } else return points.slice(from, to).join('');
  }
}

function isSpace(point: string): boolean {
  return point === ' ';
}

function isLooks(point: string): boolean {
  return (
    point === ' ' ||
    (/[\p{So}\p{Extended_Pictographic}\p{Emoji_Modifier}]/u.test(point) && !meanings.has(point))
  );
}

/** Unticked boxes, doubt, and what says the opposite. */
const meanings = new Set('☐□▢◻◽⬜○❓❔⁉‼❌❎✖✗✘🚫⛔🛑');

function isMark(point: string): boolean {
  return point === '*' || point === '_' || point === '`';
}

function isStop(point: string): boolean {
  return point === '.' || point === ':';
}

const openSigns = /^[ .…?_☐□▢◻◽⬜○❓❔]+$/u;
const reminders = ['tbd', 'tba', 'tbc', 'todo', 'fixme', 'xxx'];
const openWords = new Set([
  ...reminders,
  'to do',
  'to be done',
  'to be determined',
  'to be filled in',
  'to be defined',
]);
const emptyWords = new Set([
  ...['n/a', 'na', 'n.a', 'not applicable', 'none', 'nil', 'null', 'nothing', 'no', '[x]'],
]);

/** A reminder with more behind it, in capitals: what is about a todo list may say so. */
function beginsOpen(text: string): boolean {
  const [, word = ''] = /^[*_`\s]*([A-Z]+)(?![\p{L}\p{N}])/u.exec(text) ?? [];
  return reminders.includes(word.toLowerCase());
}

/** All of it stands in one pair of brackets. A ticked box, a link and an address are no placeholders. */
function isPlaceholder(words: string): boolean {
  const close = brackets.get(words[0] ?? '');
  if (close === undefined || !words.endsWith(close)) return false;
  if (words === '[x]' || (close === '>' && words.includes('://'))) return false;
  let depth = 0;
  for (let at = 0; at < words.length; at++) {
    if (words[at] === words[0]) depth++;
    else if (words[at] === close && --depth === 0) return at === words.length - 1;
  }
  return false;
}

const brackets = new Map([
  ['<', '>'],
  ['[', ']'],
  ['{', '}'],
]);
