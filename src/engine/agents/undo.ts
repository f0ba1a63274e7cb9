import { type Hash, hashBytes } from '../../base/hash.ts';
import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { DiskError } from '../../disk/disk.ts';
import { replaceFileNow } from '../../disk/write.ts';
import type { Environment } from '../open/environment.ts';

/*
 * Where, in a file as it was left by an installation, that which was put in stands. Nobody can tell from the file alone
 * whether an empty `"hooks": {}` was there before; while the file is as it was left, this can. It holds no word of the
 * file, lies with the other state of the user, and can be deleted at any time: then entries are found by what they are.
 */

/** How to get back what was there before an installation. */
export type Origin =
  /** There was no file. */
  { readonly kind: 'none' } | { readonly kind: 'text'; readonly text: string };

/** What was there before, if the text is still the one that was left. */
export function originOf(env: Environment, target: string, text: string): Origin | undefined {
  const record = readRecord(env, target);
  if (record === undefined || record.after !== hashBytes(text)) return undefined;
  return record.inserted === 'all'
    ? { kind: 'none' }
    : { kind: 'text', text: withoutRanges(text, record.inserted) };
}

/** Remembers how to get from the text back to its origin; forgets what was remembered where there is no way. */
export function rememberOrigin(
  env: Environment,
  target: string,
  text: string | undefined,
  origin: Origin | undefined,
): void {
  const path = recordPath(env, target);
  if (path === undefined) return;
  const inserted =
    text === undefined || origin === undefined
      ? undefined
      : origin.kind === 'none'
        ? 'all'
        : insertedRanges(origin.text, text);
  try {
    if (text === undefined || inserted === undefined) {
      env.disk.remove(path);
      return;
    }
    env.disk.makeFolder(recordFolder(env) ?? '');
    const record = { pawl: 'agent-edits', version, path: target, after: hashBytes(text), inserted };
    replaceFileNow(env.disk, path, new TextEncoder().encode(`${JSON.stringify(record)}\n`));
  } catch (error) {
    // It can be done without.
    if (!(error instanceof DiskError)) throw error;
  }
}

/** Which parts of a text have to go for another one to be left: any that do; undefined where none do. */
export function insertedRanges(before: string, after: string): Range[] | undefined {
  const ranges: Range[] = [];
  // What both end with is left out: otherwise the end of what was put in is taken for the end of what was there.
  const same = commonEnd(before, after);
  const beforeEnd = before.length - same;
  const afterEnd = after.length - same;
  let matched = 0;
  for (let at = 0; at < afterEnd; at++) {
    if (matched < beforeEnd && before[matched] === after[at]) matched++;
    else if (ranges.at(-1)?.[1] === at) ranges.push([ranges.pop()?.[0] ?? at, at + 1]);
    else ranges.push([at, at + 1]);
  }
  return matched === beforeEnd ? ranges : undefined;
}

export function withoutRanges(text: string, ranges: readonly Range[]): string {
  let from = 0;
  const kept: string[] = [];
  for (const [start, end] of ranges) {
    kept.push(text.slice(from, start));
    from = end;
  }
  return kept.join('') + text.slice(from);
}

/** From, and up to. */
export type Range = readonly [number, number];

const version = 1;
const recordBytesMax = 1024 * 1024;

interface EditRecord {
  readonly after: Hash;
  readonly inserted: 'all' | readonly Range[];
}

function recordFolder({ stateFolder }: Environment): string | undefined {
  return stateFolder === undefined ? undefined : `${stateFolder}/agents`;
}

function recordPath(env: Environment, target: string): string | undefined {
  const folder = recordFolder(env);
  return folder && `${folder}/${hashBytes(target).slice('sha256:'.length, 'sha256:'.length + 32)}.json`;
}

function readRecord(env: Environment, target: string): EditRecord | undefined {
  const path = recordPath(env, target);
  if (path === undefined) return undefined;
  try {
    const bytes = env.disk.read(path, recordBytesMax);
    const record: unknown = bytes && JSON.parse(new TextDecoder().decode(bytes));
    if (!isJsonObject(record) || record.version !== version || record.path !== target) return undefined;
    const { after, inserted } = record;
    return typeof after === 'string' && (inserted === 'all' || isRanges(inserted))
      ? { after: after as Hash, inserted }
      : undefined;
  } catch (error) {
    if (error instanceof DiskError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** In order, none over another. */
function isRanges(value: JsonValue | undefined): value is readonly (readonly [number, number])[] {
  let last = 0;
  return (
    Array.isArray(value) &&
    value.every((range: JsonValue) => {
      if (!Array.isArray(range) || range.length !== 2) return false;
      const [from, to] = range;
      if (!Number.isInteger(from) || !Number.isInteger(to) || from < last || to < from) return false;
      last = to;
      return true;
    })
  );
}

function commonEnd(a: string, b: string): number {
  let count = 0;
  while (count < a.length && count < b.length && a[a.length - 1 - count] === b[b.length - 1 - count]) count++;
  return count;
}
