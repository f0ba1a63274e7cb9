import { squash } from '../../projections/status-page/status-words.ts';
import { plainText, unwrap } from '../../projections/status-page/text.ts';
import { leadingTime, readHash } from '../../projections/status-page/values.ts';
import { readMark } from './lines.ts';
import { link } from './reading.ts';

export interface StagePieces {
  /** As they are written. */
  readonly paths: readonly string[];
  readonly hashes: readonly string[];
  readonly completedAt: string | undefined;
}

/**
 * What stands behind a stage in a list: paths, hashes, a time and words that add nothing. Undefined when there is anything
 * else: `spec: not done yet` stands in a list of what is done, and means the opposite.
 */
export function piecesOf(rest: string): StagePieces | undefined {
  const paths: string[] = [];
  const hashes: string[] = [];
  const times: string[] = [];
  let wasHashWord = false;
  for (const token of tokensOf(rest)) {
    const last = times.at(-1);
    if (isTime(token)) times.push(plainText(token));
    else if (last !== undefined && last.length === dateLength && timeOfDay.test(token))
      times.splice(-1, 1, `${last} ${token}`);
    else if (isHash(token, wasHashWord)) hashes.push(token);
    else if (isPath(token)) paths.push(token);
    else if (!fillers.has(squash(token)) || readMark(token) === false) return undefined;
    wasHashWord = hashWords.has(squash(token));
  }
  if (times.length > 1 || paths.length > pathsMax) return undefined;
  return { paths, hashes, completedAt: times[0] };
}

function tokensOf(rest: string): string[] {
  return rest
    .replaceAll(link, '$1')
    .split(/[\s,;()|→—–]+/)
    .map((token) => token.replace(/[.:]$/, ''))
    .filter((token) => token !== '');
}

function isTime(token: string): boolean {
  const text = plainText(token);
  return leadingTime(text) === text;
}

/** Few digits are a hash only where it is said that they are. */
function isHash(token: string, isSaid: boolean): boolean {
  const text = plainText(token);
  const isClear = isSaid || text.length >= clearDigitsMin || /^sha|…|\.\.|\*/i.test(text);
  return isClear && readHash(token) !== undefined;
}

function isPath(token: string): boolean {
  const { raw } = unwrap(token);
  return raw.includes('/') || /\.[A-Za-z0-9]{1,8}$/.test(raw);
}

const pathsMax = 100;
const dateLength = '2026-11-15'.length;
const timeOfDay = /^\d{2}:\d{2}(?::\d{2})?Z?$/;
const clearDigitsMin = 16;
const hashWords = new Set(['hash', 'sha256', 'sha', 'checksum']);
const fillers = new Set([
  '',
  ...hashWords,
  'at',
  'on',
  'done',
  'complete',
  'completed',
  'finished',
  'artifact',
  'file',
  'see',
]);
