import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { joinPath } from '../../pipeline/text/problems.ts';
import { filledOf } from '../../projections/status-page/values.ts';
import type { Notes } from './notes.ts';

/* What the parts of a section have in common. Each gives back the very value it was given where nothing is to be done. */

/** Whether a place is empty. A word for nothing is something: see `isWordForNothing`. */
export function isNothing(value: JsonValue | undefined): value is null | '' | undefined {
  return value === undefined || value === null || value === '';
}

/** `none`, `n/a`, `—`. */
export function isWordForNothing(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && filledOf(value) === 'absent';
}

export function isSameValue(a: JsonValue, b: JsonValue): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The value in the spelling of version 2; undefined where it is not certain which one is meant. */
export type Respell = (value: JsonValue) => JsonValue | undefined;

/** Rewrites a value if its meaning is certain, and leaves it otherwise. */
export function respelled(value: JsonValue, respell: Respell, path: string, notes: Notes): JsonValue {
  const after = respell(value);
  if (after === undefined || isSameValue(after, value)) return value;
  notes.changes.push({ code: 'rewritten', path, before: value, after });
  return after;
}

/** Gives keys that other dialects use the name they have here. A key that is there already wins; the other one stays. */
export function withNames(object: JsonObject, names: NameTable, path: string, notes: Notes): JsonObject {
  const renamed = new Map<string, string>();
  for (const [name, others] of Object.entries(names)) {
    const other = Object.hasOwn(object, name) ? undefined : others.find((key) => Object.hasOwn(object, key));
    if (other === undefined) continue;
    renamed.set(other, name);
    notes.changes.push({ code: 'moved', path: joinPath(path, other), to: joinPath(path, name) });
  }
  if (renamed.size === 0) return object;
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [renamed.get(key) ?? key, value]));
}

/** By the name here, what others call it. */
export type NameTable = Readonly<Record<string, readonly string[]>>;

/** Adds what is missing, at the end. Null stands for a value only where the shape has it so. */
export function filled(object: JsonObject, shape: JsonObject, path: string, notes: Notes): JsonObject {
  const added = new Map<string, JsonValue>();
  for (const [key, value] of Object.entries(shape)) {
    const found = object[key];
    if (found !== undefined && (found !== null || value === null)) continue;
    added.set(key, value);
    notes.changes.push({ code: 'added', path: joinPath(path, key), value });
  }
  return added.size === 0 ? object : { ...object, ...Object.fromEntries(added) };
}

/** The object with other values at some of its keys; keys that are not there stay missing. */
export function mapped(
  object: JsonObject,
  changes: Readonly<Record<string, (value: JsonValue, path: string) => JsonValue>>,
  path: string,
): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => {
      const change = Object.hasOwn(changes, key) ? changes[key] : undefined;
      return [key, change === undefined ? value : change(value, joinPath(path, key))];
    }),
  );
}

/** A list, where something else stands for one: nothing for an empty one, one text for itself. */
export function asTexts(value: JsonValue, path: string, notes: Notes): JsonValue {
  if (typeof value !== 'string') return value;
  notes.changes.push({ code: 'reshaped', path });
  return isNothing(value) || isWordForNothing(value) ? [] : [value];
}

/** A part of the section that is a map; empty where there is none, as it was where it is something else. */
export function asPart(value: JsonValue | undefined): JsonValue {
  return isNothing(value) || isWordForNothing(value) ? {} : value;
}

/** The only member of a map such as `- executor-1: DONE.` makes of a list's line. */
export function onlyMember(value: JsonValue): readonly [string, JsonValue] | undefined {
  if (!isJsonObject(value)) return undefined;
  const [first, second] = Object.entries(value);
  return second === undefined ? first : undefined;
}

/**
 * `CP-003` of `cp-3`, `CP 3`, `3`, `"3"`; null of nothing. What is an id already stays, with all its digits: another file
 * may call it so. Undefined for a word, a time, and what else is no number of an id for certain.
 */
export function readId(prefix: IdPrefix, value: JsonValue): string | null | undefined {
  if (isNothing(value) || isWordForNothing(value)) return null;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim();
  if (/^-[0-9]{3,}$/.test(text.slice(prefix.length)) && text.startsWith(prefix)) return text;
  const digits = spellings[prefix].exec(text)?.[1];
  return digits === undefined ? undefined : formatId(prefix, Number(digits));
}

/** Of checkpoints, decisions, compactions. */
export type IdPrefix = 'CP' | 'RD' | 'CX';

/** Gives every entry an id: its own, or the next number after all that are taken. Tells of those that are there twice. */
export function withIds(
  entries: readonly JsonObject[],
  prefix: IdPrefix,
  pathOf: (index: number) => string,
  notes: Notes,
): JsonObject[] {
  const ids = entries.map(({ id = null }, index) =>
    respelled(id, (value) => readId(prefix, value), `${pathOf(index)}.id`, notes),
  );
  let last = 0;
  for (const id of ids) last = Math.max(last, numberOf(prefix, id));
  const seen = new Set<string>();
  return entries.map((entry, index) => {
    const id = ids[index] ?? null;
    if (id === null) {
      last += 1;
      const next = formatId(prefix, last);
      notes.changes.push({ code: 'added', path: `${pathOf(index)}.id`, value: next });
      return { id: next, ...without(entry, 'id') };
    }
    if (typeof id === 'string' && seen.has(id))
      notes.contradictions.push({ code: 'id-twice', path: pathOf(index), id });
    if (typeof id === 'string') seen.add(id);
    return { ...entry, id };
  });
}

const spellings: Readonly<Record<IdPrefix, RegExp>> = {
  CP: /^(?:CP[\s_-]?)?0*([1-9][0-9]{0,4})$/i,
  RD: /^(?:RD[\s_-]?)?0*([1-9][0-9]{0,4})$/i,
  CX: /^(?:CX[\s_-]?)?0*([1-9][0-9]{0,4})$/i,
};

function formatId(prefix: IdPrefix, number: number): string {
  return `${prefix}-${String(number).padStart(3, '0')}`;
}

function numberOf(prefix: IdPrefix, id: JsonValue): number {
  const number = typeof id === 'string' ? Number(id.slice(prefix.length + 1)) : 0;
  return Number.isSafeInteger(number) ? number : 0;
}

function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}
