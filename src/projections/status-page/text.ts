/*
 * Text on the page. What comes from outside is data: it is written so that Markdown shows it as it is and reading gives it
 * back. The escapes are Markdown's own, so pages that people wrote are read by the same rule: a backslash before ASCII
 * punctuation stands for nothing but that character, `<br>` is a line break.
 */

/** Text without what cannot be seen or turns text round, without space around it. Line breaks stay. */
export function cleanText(text: string): string {
  return text.replaceAll(lineBreak, '\n').replaceAll('\t', ' ').replaceAll(unseen, '').trim();
}

/** The same on one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replaceAll('\n', ' ');
}

/** How many characters of a line cannot be seen. */
export function countUnseen(line: string): number {
  return line.match(unseen)?.length ?? 0;
}

/** For a page: what Markdown would take as more than text is escaped. */
export function escapeText(text: string): string {
  return text.replaceAll(special, '\\$&').replaceAll('\n', '<br>');
}

/** The text that Markdown means. */
export function unescapeText(raw: string): string {
  return raw.replaceAll(escapeOrBreak, (_, character?: string) => character ?? '\n');
}

/** Without emphasis, quotes or back quotes around the whole of it. `isCode`: what was inside stands for itself. */
export function unwrap(raw: string, withQuotes = true): { readonly raw: string; readonly isCode: boolean } {
  let inner = raw.trim();
  for (let depth = 0; depth < wrappersDeepMax; depth++) {
    const wrapper = wrappers.find(
      (mark) => inner.length > 2 * mark.length && inner.startsWith(mark) && inner.endsWith(mark),
    );
    if (wrapper === undefined) return { raw: inner, isCode: false };
    if (!withQuotes && quotes.includes(wrapper)) return { raw: inner, isCode: false };
    inner = inner.slice(wrapper.length, -wrapper.length).trim();
    if (wrapper === '`') return { raw: inner, isCode: true };
  }
  return { raw: inner, isCode: false };
}

/** A short text as it is meant. Quotes around it are none of it, but in free text. */
export function plainText(raw: string, withQuotes = true): string {
  const inner = unwrap(raw, withQuotes);
  return inner.isCode ? inner.raw.replaceAll('\\|', '|') : unescapeText(inner.raw);
}

/** Cuts at a character, but not where a backslash stands before it. */
export function splitUnescaped(raw: string, at: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let index = 0; index < raw.length; index++) {
    if (raw[index] === '\\') index += 1;
    else if (raw[index] === at) {
      parts.push(raw.slice(start, index));
      start = index + 1;
    }
  }
  parts.push(raw.slice(start));
  return parts;
}

/** Where a character stands last without a backslash before it; -1: nowhere. */
export function lastUnescaped(raw: string, character: string): number {
  let last = -1;
  for (let index = 0; index < raw.length; index++) {
    if (raw[index] === '\\') index += 1;
    else if (raw[index] === character) last = index;
  }
  return last;
}

const lineBreak = /\r\n?|[\u0085\u2028\u2029]/g;
// Letters that show as nothing although they are no format characters by class. Written as a string, like the rest, so
// that this file itself holds nothing unseen.
const blanks = '\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u3164\\uffa0';
const unseen = new RegExp(`(?!\\n)[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}${blanks}]`, 'gu');
/** An underscore within a word is only an underscore; quotes and braces mean something only at the start. */
const special = /[\\|`*<&[\]~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|^["'{]/g;
const escapeOrBreak = /\\([!-/:-@[-`{-~])|<br *\/?>/gi;
const quotes: readonly string[] = ['"', "'"];
const wrappers = ['**', '__', '*', '_', '`', ...quotes];
const wrappersDeepMax = 4;
