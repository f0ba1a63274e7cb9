import { randomBytes } from 'node:crypto';

/** Where chance comes from; tests pass their own. */
export interface Ids {
  /** Lower-case letters and digits, `length` of them. */
  random(length: number): string;
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

export const systemIds: Ids = {
  random: (length) => Array.from(randomBytes(length), (byte) => alphabet[byte & 31]).join(''),
};

/** `20261115-1203-book-x7k2`: sorts by time, can be typed, says what it is. */
export function newRunId(nowMs: number, name: string, ids: Ids): string {
  const time = new Date(nowMs).toISOString();
  const stamp = `${time.slice(0, 10).replaceAll('-', '')}-${time.slice(11, 16).replace(':', '')}`;
  return `${stamp}-${slugOf(name)}-${ids.random(4)}`;
}

/** How a pipeline is called in the ids of its runs. */
export function slugOf(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return plain.slice(0, 40) || 'run';
}
