import { readStatusWord, squash } from '../../projections/status-page/status-words.ts';
import { plainText } from '../../projections/status-page/text.ts';

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
