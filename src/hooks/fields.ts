import { isAbsolute } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';

/* Reads what an agent has sent. Every member may be missing or have another type. */

/** The first of these members that is a text and not empty. */
export function textOf(payload: JsonObject, ...names: readonly string[]): string | undefined {
  const found = names
    .map((name) => payload[name])
    .find((value): value is string => typeof value === 'string' && value !== '');
  return found?.slice(0, textLengthMax);
}

/** The first of these members that is an absolute path. */
export function folderOf(payload: JsonObject, ...names: readonly string[]): string | undefined {
  return names.map((name) => payload[name]).find(isFolder);
}

export function isFolder(value: JsonValue | undefined): value is string {
  return (
    typeof value === 'string' &&
    value.length <= pathLengthMax &&
    isAbsolute(value) &&
    // The system takes a NUL for the end of a path, so that checks would see another path than it opens.
    !value.includes('\0')
  );
}

export function objectOf(payload: JsonObject, ...names: readonly string[]): JsonObject | undefined {
  return names.map((name) => payload[name]).find(isJsonObject);
}

/** A share in percent; undefined for what cannot be one. */
export function percentOf(value: JsonValue | undefined): number | undefined {
  if (typeof value !== 'number' || !(value >= 0)) return undefined;
  return Math.min(100, value);
}

/** A compaction counts as automatic unless the agent says that a person asked for it. */
export function triggerOf(payload: JsonObject): 'auto' | 'manual' {
  return payload.trigger === 'manual' ? 'manual' : 'auto';
}

const textLengthMax = 4096;
const pathLengthMax = 4096;
