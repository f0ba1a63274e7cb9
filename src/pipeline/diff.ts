import { byCodeUnit, canonicalJson, isJsonObject, type JsonValue } from '../base/json.ts';
import type { Place } from '../model/failure.ts';
import type { ValueChange } from '../model/value-change.ts';
import { joinPath } from './text/problems.ts';

/**
 * Every place where two documents differ, with the old and the new value: maps by key, lists by index. A part
 * that is wholly new or gone is one change, not one for each value in it.
 */
export function diffManifests(
  before: JsonValue,
  after: JsonValue,
  locate?: (path: string) => Place | undefined,
): ValueChange[] {
  const changes: ValueChange[] = [];
  compare(before, after, '');
  return changes;

  function compare(old: JsonValue | undefined, now: JsonValue | undefined, path: string): void {
    if (isJsonObject(old) && isJsonObject(now)) {
      for (const key of keysOf(old, now)) compare(own(old, key), own(now, key), joinPath(path, key));
    } else if (Array.isArray(old) && Array.isArray(now)) {
      for (let at = 0; at < Math.max(old.length, now.length); at++)
        compare(old[at], now[at], `${path}[${at}]`);
    } else if (!isSame(old, now)) changes.push(change(old, now, path));
  }

  function change(old: JsonValue | undefined, now: JsonValue | undefined, path: string): ValueChange {
    const place = now === undefined ? undefined : locate?.(path);
    const where = place === undefined ? {} : { line: place.line, column: place.column };
    return { path, before: old, after: now, ...where };
  }
}

function keysOf(a: object, b: object): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].sort(byCodeUnit);
}

/** Documents come from outside: a key such as `constructor` must not find what objects inherit. */
function own(object: { readonly [key: string]: JsonValue }, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return canonicalJson(a) === canonicalJson(b);
}
