import type { JsonObject, JsonValue } from '../../base/json.ts';
import type { Notes } from './notes.ts';
import { isNothing, isWordForNothing, respelled } from './values.ts';

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
