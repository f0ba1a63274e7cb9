import { type Hash, parseHash } from '../../base/hash.ts';
import { escapeText, plainText, unwrap } from './text.ts';

/** A hash on a page. A shortened one cannot verify anything. */
export type ReadHash =
  | { readonly kind: 'full'; readonly hash: Hash }
  | { readonly kind: 'abbreviated'; readonly text: string };

/** What stands where a value is expected: nothing, a placeholder, or a value. */
export type Filled = 'absent' | 'placeholder' | 'filled';

export function filledOf(raw: string): Filled {
  const inner = unwrap(raw);
  if (inner.raw === '' || inner.raw === '``') return 'absent';
  if (inner.isCode) return 'filled';
  const word = inner.raw.toLowerCase();
  if (absentWords.has(word)) return 'absent';
  return placeholderWords.has(word) || isTemplate(inner.raw) ? 'placeholder' : 'filled';
}

/** For the page. A text that would be read as none stands in back quotes. */
export function writeValue(text: string | undefined): string {
  if (text === undefined || text === '') return '—';
  const written = escapeText(text);
  return filledOf(written) === 'filled' ? written : `\`${text}\``;
}

/** Undefined for what is no hash at all. */
export function readHash(raw: string): ReadHash | undefined {
  const text = plainText(raw);
  const digits = text.replace(hashPrefix, '');
  const hash = parseHash(digits);
  if (hash !== undefined) return { kind: 'full', hash };
  const match = digits.length > shortenedLengthMax ? null : shortened.exec(digits);
  if (match === null) return undefined;
  const [, start = '', dots = '', end = ''] = match;
  const length = start.length + end.length;
  if (length >= 64 || length < (dots === '' ? bareDigitsMin : 1)) return undefined;
  return { kind: 'abbreviated', text };
}

/** A time as it was written; undefined for what is none. Zones are not guessed at, so nothing is converted. */
export function readPageTime(raw: string): string | undefined {
  const text = plainText(raw);
  return leadingTime(text) === text ? text : undefined;
}

/** The time that a text begins with. */
export function leadingTime(text: string): string | undefined {
  const match = timeAtStart.exec(text);
  if (match === null) return undefined;
  const [time, month, day] = match;
  return Number(month) <= 12 && Number(day) <= 31 ? time : undefined;
}

/** `3`; undefined for what is no count. */
export function readCount(raw: string): number | undefined {
  const text = plainText(raw);
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** `2/5`, `2 of 5`, `2 (budget 5)`, `2`. */
export function readCounts(
  raw: string,
): { readonly used: number; readonly max: number | undefined } | undefined {
  const match = counts.exec(plainText(raw));
  if (match === null) return undefined;
  const max = match[2] ?? match[3];
  return { used: Number(match[1]), max: max === undefined ? undefined : Number(max) };
}

const absentWords = new Set('- -- — – n/a na none none. nil null ~ nothing (none) [none]'.split(' ')).add(
  'not applicable',
);
const placeholderWords = new Set('tbd todo ? ?? ??? ... … [...] […]'.split(' '));

/** `<ISO-8601 UTC>`, `{{run_id}}`: the form was copied and this was never filled in. */
function isTemplate(raw: string): boolean {
  if (raw.startsWith('{{') && raw.endsWith('}}')) return true;
  return raw.startsWith('<') && raw.endsWith('>') && !/^<br/i.test(raw);
}

const hashPrefix = /^sha-?256[:=\s-]\s*/i;
const shortened = /^([0-9a-f]*)(…|\.{2,}|\*+)?([0-9a-f]*)$/i;
const shortenedLengthMax = 100;
/** Fewer digits without a sign that more follow are a number or a word. */
const bareDigitsMin = 7;
const timeAtStart =
  /^\d{4}-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?(?:Z|UTC|[+-]\d{2}:?\d{2}))?)?(?![\p{L}\p{N}])/iu;
const counts = /^(\d{1,9})(?: ?(?:\/|of|out of) ?(\d{1,9})| ?\((?:budget|max|limit|of):? ?(\d{1,9})\))?$/i;
