import { byCodeUnit, canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { SourcePlace } from '../model/failure.ts';
import type { ValueChange } from '../model/refusal.ts';
import { removedSecret, withoutSecrets } from '../model/secrets.ts';
import type { LoadedPipeline } from './loaded.ts';
import { joinPath } from './text/problems.ts';

/**
 * Every place where two manifests differ, with the old and the new value: maps by key, units by their id, other lists by
 * index. A part that is wholly new or gone is one change, not one for each value in it.
 */
export function diffManifests(
  before: JsonValue,
  after: JsonValue,
  locate?: (path: string) => SourcePlace | undefined,
): ValueChange[] {
  const changes: ValueChange[] = [];
  compare(before, after, '');
  return changes;

  function compare(old: JsonValue | undefined, now: JsonValue | undefined, path: string): void {
    if (isJsonObject(old) && isJsonObject(now)) {
      for (const key of keysOf(old, now)) compare(own(old, key), own(now, key), joinPath(path, key));
    } else if (isUnitList(old, path) && isUnitList(now, path)) {
      compareUnits(old, now, path);
    } else if (Array.isArray(old) && Array.isArray(now)) {
      for (let at = 0; at < Math.max(old.length, now.length); at++)
        compare(old[at], now[at], `${path}[${at}]`);
    } else if (!isSame(old, now)) changes.push(change(old, now, path));
  }

  /** By id, so that a unit that is inserted is one change, and the same units in another order are none. */
  function compareUnits(old: readonly JsonValue[], now: readonly JsonValue[], path: string): void {
    const [before, after] = [unitsById(old), unitsById(now)];
    for (const id of new Set([...before.keys(), ...after.keys()])) {
      const [was, is] = [before.get(id), after.get(id)];
      const at = joinPath(path, id);
      const placed = is === undefined ? undefined : locate?.(`${path}[${is.index}]`);
      const where = placed === undefined ? {} : { line: placed.line, column: placed.column };
      if (was === undefined || is === undefined) {
        const unit = { id, part: 'whole' as const };
        changes.push({ path: at, before: was?.item, after: is?.item, unit, ...where });
        continue;
      }
      const found = changes.length;
      compare(was.fields, is.fields, at);
      for (let nth = found; nth < changes.length; nth++)
        changes[nth] = { ...(changes[nth] as ValueChange), unit: { id, part: 'field' }, ...where };
    }
  }

  function change(old: JsonValue | undefined, now: JsonValue | undefined, path: string): ValueChange {
    const place = now === undefined ? undefined : locate?.(path);
    const where = place === undefined ? {} : { line: place.line, column: place.column };
    return { path, before: old, after: now, ...where };
  }
}

interface UnitItem {
  readonly index: number;
  readonly item: JsonValue;
  readonly fields: JsonObject;
}

function isUnitList(value: JsonValue | undefined, path: string): value is readonly JsonValue[] {
  if (!Array.isArray(value) || !/(^|\.)units(\.list)?$/.test(path)) return false;
  const ids = (value as readonly JsonValue[]).map(idOf);
  return ids.every((id) => id !== undefined) && new Set(ids).size === ids.length;
}

function idOf(item: JsonValue): string | undefined {
  const id = isJsonObject(item) ? own(item, 'id') : item;
  return typeof id === 'string' ? id : undefined;
}

function unitsById(list: readonly JsonValue[]): Map<string, UnitItem> {
  const units = new Map<string, UnitItem>();
  list.forEach((item, index) => {
    const id = idOf(item);
    if (id !== undefined) units.set(id, { index, item, fields: isJsonObject(item) ? item : { id } });
  });
  return units;
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

/** Where two manifests, or the fields of a unit, differ. That a secret changed is shown, not its value. */
export function changesForPeople(
  before: JsonObject,
  after: JsonObject,
  locate?: LoadedPipeline['locate'],
): ValueChange[] {
  const shown = diffManifests(withoutSecrets(before), withoutSecrets(after), locate);
  const byPath = new Map(shown.map((change) => [change.path, change]));
  return diffManifests(before, after, locate).map(
    (change) => byPath.get(change.path) ?? { ...change, before: removedSecret, after: removedSecret },
  );
}

/** The phase that a place in the manifest is in. */
export function phaseOf(path: string): string | undefined {
  return /^(?:stages\[\d+\]\.)?phases\.([^.[]+)/.exec(path)?.[1];
}
