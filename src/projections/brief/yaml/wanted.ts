import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import type { YamlDraft } from './edits.ts';
import { definedMembers } from './render.ts';

/** Whether a value says what is wanted of it. Maps may say more than that. */
export function hasWanted(present: JsonValue | undefined, wanted: JsonValue): boolean {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(present) || present.length !== wanted.length) return false;
    return wanted.every((item, at) => hasWanted(present[at], item));
  }
  if (isJsonObject(wanted)) {
    if (!isJsonObject(present)) return false;
    return definedMembers(wanted).every(([key, value]) => hasWanted(memberOf(present, key), value));
  }
  return present === wanted;
}

/** For each wanted item of a list, the place of the item that is there and means the same thing; undefined: it is new. */
export type Pairs = readonly (number | undefined)[];

/**
 * Pairs items by what they are about, because people insert items anywhere and comments belong to an item, not to its
 * place. Items pair by place only if no map of the list says what it is about.
 */
export function pairItems(present: readonly JsonValue[], wanted: readonly JsonValue[]): Pairs {
  if (hasWanted(present, wanted)) return wanted.map((_, at) => at);
  const hasName = [...present, ...wanted].some(
    (item) => isJsonObject(item) && namings.some((nameOf) => nameOf(item) !== undefined),
  );
  if (!hasName && pairsByPlace(present, wanted))
    return wanted.map((_, at) => (at < present.length ? at : undefined));
  const pairs: (number | undefined)[] = wanted.map(() => undefined);
  const free = new Set(present.keys());
  for (const nameOf of namings) pairByName(present, wanted, nameOf, pairs, free);
  pairWhatIsMet(present, wanted, pairs, free);
  return pairs;
}

/** The wanted value, with everything that the present one says besides. */
export function merge(present: JsonValue | undefined, wanted: JsonValue): JsonValue {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(present)) return wanted;
    const pairs = pairItems(present, wanted);
    return wanted.map((item, at) => {
      const from = pairs[at];
      return from === undefined ? item : merge(present[from], item);
    });
  }
  if (!isJsonObject(wanted) || !isJsonObject(present)) return wanted;
  const merged: Record<string, JsonValue> = Object.create(null);
  for (const [key, value] of definedMembers(present)) merged[key] = value;
  for (const [key, value] of definedMembers(wanted)) merged[key] = merge(memberOf(present, key), value);
  return merged;
}

/** Objects that others made may have a prototype, whose members are none of theirs. */
export function memberOf(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

type NameOf = (item: JsonValue) => string | undefined;

/** What an item is about, the surest first: who adds a decision by hand leaves its number to us. */
const namings: readonly NameOf[] = [
  (item) => (isJsonObject(item) || Array.isArray(item) ? undefined : JSON.stringify(item)),
  (item) => memberName(item, 'id'),
  // A file may be listed by its path alone.
  (item) => (typeof item === 'string' ? JSON.stringify(item) : memberName(item, 'path')),
  (item) => memberName(item, 'decision'),
  (item) => memberName(item, 'pattern'),
];

function memberName(item: JsonValue, key: string): string | undefined {
  const value = isJsonObject(item) ? memberOf(item, key) : undefined;
  return typeof value === 'string' || typeof value === 'number' ? JSON.stringify(value) : undefined;
}

function pairByName(
  present: readonly JsonValue[],
  wanted: readonly JsonValue[],
  nameOf: NameOf,
  pairs: (number | undefined)[],
  free: Set<number>,
): void {
  const places = new Map<string, number[]>();
  for (const at of [...free].reverse()) {
    const name = nameOf(present[at] ?? null);
    if (name === undefined) continue;
    const others = places.get(name);
    if (others === undefined) places.set(name, [at]);
    else others.push(at);
  }
  wanted.forEach((item, at) => {
    if (pairs[at] !== undefined) return;
    const from = places.get(nameOf(item) ?? '')?.pop();
    if (from === undefined) return;
    pairs[at] = from;
    free.delete(from);
  });
}

/** What tells by no name what it is about, but says what is wanted. */
function pairWhatIsMet(
  present: readonly JsonValue[],
  wanted: readonly JsonValue[],
  pairs: (number | undefined)[],
  free: Set<number>,
): void {
  const isNameless = (item: JsonValue) => namings.every((nameOf) => nameOf(item) === undefined);
  const nameless = [...free].filter((at) => isNameless(present[at] ?? null));
  if (nameless.length === 0) return;
  wanted.forEach((item, at) => {
    if (pairs[at] !== undefined || !isNameless(item)) return;
    const index = nameless.findIndex((from) => hasWanted(present[from], item));
    const [from] = index < 0 ? [] : nameless.splice(index, 1);
    pairs[at] = from;
  });
}

/** Whether none goes, each that is there says what is wanted or is a map to be brought up to it, the others come behind. */
function pairsByPlace(present: readonly JsonValue[], wanted: readonly JsonValue[]): boolean {
  return present.every((item, at) => {
    const other = wanted[at];
    return other !== undefined && (hasWanted(item, other) || (isJsonObject(item) && isJsonObject(other)));
  });
}

/** What becomes of a list. */
export interface ListChange {
  readonly draft: YamlDraft;
  readonly wanted: readonly JsonValue[];
  readonly pairs: Pairs;
  readonly changeItem: ChangeItem;
}

/** Writes into an item what is wanted of it; returns what has to come in its stead where that cannot be done. */
export type ChangeItem = (draft: YamlDraft, from: number, to: number) => JsonValue | undefined;

/** The items that can stay where they are, as many as possible; the others have to go round them. */
export function stayingItems(pairs: Pairs): ReadonlySet<number> {
  /** For each length, the rising row of that length that ends lowest. */
  const rows: Row[] = [];
  for (const item of pairs) {
    if (item === undefined) continue;
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((rows[middle]?.item ?? 0) < item) low = middle + 1;
      else high = middle;
    }
    rows[low] = { item, before: rows[low - 1] };
  }
  const staying = new Set<number>();
  for (let row = rows.at(-1); row !== undefined; row = row.before) staying.add(row.item);
  return staying;
}

interface Row {
  readonly item: number;
  readonly before: Row | undefined;
}
