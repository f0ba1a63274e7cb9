import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { members } from './render.ts';

/** Whether a value says what is wanted of it. Maps may say more than that. */
export function isMet(present: JsonValue | undefined, wanted: JsonValue): boolean {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(present) || present.length !== wanted.length) return false;
    return wanted.every((item, at) => isMet(present[at], item));
  }
  if (isJsonObject(wanted)) {
    if (!isJsonObject(present)) return false;
    return members(wanted).every(([key, value]) => isMet(memberOf(present, key), value));
  }
  return present === wanted;
}

/**
 * Whether a list becomes the wanted one item by item: none goes, each that is there says what is wanted or is a map
 * to be brought up to it, the others come behind. Else the old list and the new one have nothing to do with each other.
 */
export function pairsUp(present: readonly JsonValue[], wanted: readonly JsonValue[]): boolean {
  return present.every((item, at) => {
    const other = wanted[at];
    return other !== undefined && (isMet(item, other) || (isJsonObject(item) && isJsonObject(other)));
  });
}

/** The wanted value, with everything that the present one says besides. */
export function merge(present: JsonValue | undefined, wanted: JsonValue): JsonValue {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(present) || !pairsUp(present, wanted)) return wanted;
    return wanted.map((item, at) => merge(present[at], item));
  }
  if (!isJsonObject(wanted) || !isJsonObject(present)) return wanted;
  const merged: Record<string, JsonValue> = Object.create(null);
  for (const [key, value] of members(present)) merged[key] = value;
  for (const [key, value] of members(wanted)) merged[key] = merge(memberOf(present, key), value);
  return merged;
}

/** Objects that others made may have a prototype, whose members are none of theirs. */
export function memberOf(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
