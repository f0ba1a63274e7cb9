import { readStatusWord, squash } from '../../projections/status-page/status-words.ts';
import { plainText, splitUnescaped } from '../../projections/status-page/text.ts';

/* What one line of a page is, as Markdown and YAML have it. Every pattern looks at a character once. */

export interface Item {
  readonly isItem: boolean;
  /** What stands in the box before the text; empty: nothing. Undefined: there is no box. */
  readonly mark: string | undefined;
  readonly text: string;
}

/** A line of a list, with or without a box; or a line that is none. */
export function itemOf(line: string): Item {
  const marker = /^(?:[-*+•]|\d{1,9}[.)])(?:\s+|$)/.exec(line)?.[0];
  const rest = line.slice(marker?.length ?? 0);
  const box = /^\[([^\][]{0,4})\](?=\s|$)/.exec(rest);
  return {
    isItem: marker !== undefined,
    mark: box?.[1]?.trim(),
    text: rest.slice(box?.[0].length ?? 0).trim(),
  };
}

export interface KeyValue {
  readonly key: string;
  readonly value: string;
}

/** `key: value`, with emphasis or back quotes around the key, the colon or all of it. */
export function keyValueOf(text: string): KeyValue | undefined {
  const colon = text.search(/[:：]/);
  const at = colon < 0 ? text.indexOf('=') : colon;
  if (at <= 0) return undefined;
  const key = text.slice(0, at).trim();
  let value = text.slice(at + 1).trim();
  const open = ['**', '__', '*', '_', '`'].find((mark) => key.startsWith(mark));
  if (open !== undefined && (key === open || !key.endsWith(open))) {
    if (value.startsWith(open)) value = value.slice(open.length).trim();
    else if (value.endsWith(open)) value = value.slice(0, -open.length).trim();
  }
  return { key, value };
}

export interface Heading {
  readonly level: number;
  readonly text: string;
}

/** `## Notes`, `## Notes ##`. */
export function headingOf(line: string): Heading | undefined {
  const level = /^#{1,6}(?=\s|$)/.exec(line)?.[0].length;
  if (level === undefined) return undefined;
  let end = line.length;
  while (line[end - 1] === '#') end -= 1;
  return { level, text: line.slice(level, end).trim() };
}

/** The name and what stands behind it: `Current Stage: programmer`, `Current Stage — programmer`. */
export function splitHeading(text: string): KeyValue {
  const match = /[:：]| [—–-] /.exec(text);
  if (match === null) return { key: text, value: '' };
  return { key: text.slice(0, match.index), value: text.slice(match.index + match[0].length).trim() };
}

/** The columns of a row; a pipe with a backslash before it is text. */
export function stepsOf(line: string): string[] {
  const steps = splitUnescaped(line, '|').map((step) => step.trim());
  if (steps[0] === '') steps.shift();
  if (steps.length > 1 && steps.at(-1) === '') steps.pop();
  return steps;
}

/** The line below a table's head. */
export function isDelimiter(line: string | undefined): boolean {
  if (line === undefined || !line.includes('-') || !line.includes('|')) return false;
  return stepsOf(line).every((step) => /^:?-+:?$/.test(step));
}

/** `---`, `***`, `===`: a rule, or the line below a heading. */
export function isRule(line: string): boolean {
  const [first = ''] = line;
  if (!'-*_='.includes(first) || line.length < 2) return false;
  for (const character of line) if (character !== first && character !== ' ') return false;
  return true;
}

/** The fence that begins or ends here, and the language behind it. */
export function fenceOf(line: string): { readonly fence: string; readonly language: string } | undefined {
  const fence = /^(?:`{3,}|~{3,})/.exec(line)?.[0];
  if (fence === undefined) return undefined;
  return { fence, language: line.slice(fence.length).trim().toLowerCase() };
}

/** In YAML a `#` after a space begins a remark, but not within quotes. */
export function withoutRemark(text: string): string {
  let quote = '';
  for (let at = 1; at < text.length; at++) {
    const [before = '', here = ''] = [text[at - 1], text[at]];
    if (quote !== '') quote = here === quote ? '' : quote;
    else if (before === ' ' && here === '#') return text.slice(0, at).trim();
    else if (before === ' ' && (here === '"' || here === "'")) quote = here;
  }
  return text;
}

/** What a box, a sign or a word means: yes, no, or unclear. */
export function readMark(raw: string): boolean | undefined {
  if (raw.length > markLengthMax) return undefined;
  const text = plainText(raw).replaceAll('\ufe0f', '');
  if (yesSigns.has(text)) return true;
  if (text === '' || noSigns.has(text)) return false;
  const { mark, text: word } = withoutSign(text);
  const says = readWord(word);
  // The sign and the word have to say the same.
  return mark === undefined || mark === says ? says : undefined;
}

function readWord(text: string): boolean | undefined {
  if (/[?~]/.test(text)) return undefined;
  const word = squash(text);
  if (yesWords.has(word)) return true;
  if (noWords.has(word)) return false;
  const status = readStatusWord(text);
  return status === undefined ? undefined : status === 'COMPLETE';
}

export interface Marked {
  /** Undefined: there is no sign. */
  readonly mark: boolean | undefined;
  readonly text: string;
}

/** The sign that a text begins or ends with, and the text without it. */
export function withoutSign(raw: string): Marked {
  const text = raw.trim();
  const start = signAtStart.exec(text)?.[0];
  if (start !== undefined) return { mark: readMark(start), text: text.slice(start.length).trim() };
  const end = signAtEnd.exec(text)?.[0];
  if (end !== undefined) return { mark: readMark(end), text: text.slice(0, -end.length).trim() };
  return { mark: undefined, text };
}

const markLengthMax = 64;
const yes = '✅✔✓☑';
const no = '❌❎✖✗✘☐⬜⏳';
const yesSigns = new Set([...yes, 'x', 'X']);
const noSigns = new Set(no);
const signAtStart = new RegExp(`^[${yes}${no}]\\ufe0f?`, 'u');
const signAtEnd = new RegExp(`[${yes}${no}]\\ufe0f?$`, 'u');
const yesWords = new Set('yes true cleared signedoff ok passed'.split(' '));
const noWords = new Set(
  'no false open pending waiting notcleared notyet notstarted todo queued rejected skipped blocked'.split(
    ' ',
  ),
);
