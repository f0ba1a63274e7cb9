import { isUtf8 } from 'node:buffer';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { FindingCode } from '../../model/failure.ts';

/** What a line of another tool's log holds. */
export interface ForeignLine {
  /** More than one where a line end is missing between them. */
  readonly objects: readonly JsonObject[];
  /** What is wrong with it; undefined: nothing. */
  readonly damage: FindingCode | undefined;
}

/**
 * Reads a line, without its line end, as far as that can be done. Such lines have no checksum: what can be parsed is
 * taken at its word. Never throws.
 */
export function readForeignLine(line: Buffer, ended: boolean): ForeignLine {
  const text = line.toString('utf8');
  const value = parseJson(text);
  if (isJsonObject(value)) return { objects: [value], damage: damageOfWhole(line, ended) };
  if (value !== undefined) return { objects: [], damage: 'not-an-object' };
  const objects = recoverObjects(text, ended);
  return { objects, damage: damageOfBroken(line, ended, objects.length > 0) };
}

/** A character that is broken inside a text spoils that text, and not the line. */
function damageOfWhole(line: Buffer, ended: boolean): FindingCode | undefined {
  if (!isUtf8(line)) return 'broken-utf8';
  return ended ? undefined : 'no-final-newline';
}

function damageOfBroken(line: Buffer, ended: boolean, isRecovered: boolean): FindingCode {
  const hasNul = line.includes(0);
  if (hasNul && (isRecovered || !ended || line.every((byte) => byte === 0))) return 'nul-padding';
  if (isRecovered) return 'torn-tail-glued';
  if (!isUtf8(line)) return 'broken-utf8';
  return ended ? 'garbage-line' : 'torn-tail';
}

/**
 * A torn line has no line end, so the next append of a careless writer stands on the same line; and so does the next
 * line where only the line end was lost.
 */
function recoverObjects(text: string, ended: boolean): JsonObject[] {
  const objects: JsonObject[] = [];
  const mayBeGlued = ended && /^\s*\{/.test(text);
  let charsLeft = charsTriedMax;
  let start = text.indexOf('{');
  while (start >= 0 && charsLeft > 0) {
    const end = endOfObject(text, start);
    charsLeft -= (end ?? text.length) - start;
    const value = end === undefined ? undefined : parseJson(text.slice(start, end));
    const isWhole = end !== undefined && isJsonObject(value);
    if (isWhole && (!isInside(text, start) || (mayBeGlued && isBlank(text, end)))) objects.push(value);
    start = text.indexOf('{', isWhole ? end : start + 1);
  }
  return objects;
}

/** Keeps a hostile line from costing the square of its length; enough for every brace of an honest one. */
const charsTriedMax = 16 * 1024 * 1024;

/**
 * Whether the object may be a member of a torn one before it: only after these characters may a value come. At the end of
 * a line with a line end it is not, because its writer had written a whole object before the line end.
 */
function isInside(text: string, start: number): boolean {
  let at = start - 1;
  while (at >= 0 && isSpace(text.charCodeAt(at))) at--;
  return at >= 0 && ':,['.includes(text.charAt(at));
}

function isBlank(text: string, from: number): boolean {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0 && !isSpace(code)) return false;
  }
  return true;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d;
}

/** The place behind the brace that closes the one at `start`. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let isInText = false;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInText && code === 0x5c) at++;
    else if (code === 0x22) isInText = !isInText;
    else if (isInText) continue;
    else if (code === 0x7b) depth++;
    else if (code === 0x7d && --depth === 0) return at + 1;
  }
  return undefined;
}

function parseJson(text: string): JsonValue | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return canBeHeld(value, depthMax) ? value : undefined;
}

/** The parser accepts any depth and any number, but later code does not. */
const depthMax = 64;

function canBeHeld(value: JsonValue, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  const items: Iterable<JsonValue> = isJsonObject(value) ? Object.values(value) : value;
  for (const item of items) if (!canBeHeld(item, depth - 1)) return false;
  return true;
}
