import type { JsonValue } from '../base/json.ts';
import type { Unit } from '../model/definition.ts';

/** A text with places for fields: `ch{chapter:03}/{unit}.md`. */
export type Pattern = readonly PatternPart[];

type PatternPart =
  | string
  /** `width`: a number with that many digits at least. */
  | { readonly field: string; readonly width: number | undefined };

/** Why a pattern gives no text for some fields. */
export interface PatternProblem {
  readonly code: 'pattern-unknown-field' | 'wrong-type';
  readonly field: string;
  readonly expected?: string;
}

/** A brace that is no field is a slip, not a text: undefined with what stands there. */
export function parsePattern(text: string): { pattern: Pattern } | { wrong: string } {
  const parts: PatternPart[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('{', at);
    if (open === -1) {
      parts.push(text.slice(at));
      break;
    }
    if (open > at) parts.push(text.slice(at, open));
    const close = text.indexOf('}', open);
    const inside = close === -1 ? text.slice(open) : text.slice(open, close + 1);
    const match = fieldPattern.exec(inside);
    if (match?.[1] === undefined) return { wrong: inside };
    parts.push({ field: match[1], width: match[2] === undefined ? undefined : Number(match[2]) });
    at = close + 1;
  }
  return { pattern: parts };
}

const fieldPattern = /^\{([A-Za-z_][A-Za-z0-9_-]*)(?::0([1-9]))?\}$/;

/** Does the text differ from unit to unit? */
export function hasFields(pattern: Pattern): boolean {
  return pattern.some((part) => typeof part !== 'string' && part.field !== 'attempt');
}

/** Fills in the fields, or says which one cannot be. */
export function fillPattern(
  pattern: Pattern,
  fieldOf: (name: string) => JsonValue | undefined,
): string | PatternProblem {
  let text = '';
  for (const part of pattern) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const { field, width } = part;
    const value = fieldOf(field);
    if (value === undefined) return { code: 'pattern-unknown-field', field };
    if (width !== undefined) {
      if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
        return { code: 'wrong-type', field, expected: 'integer' };
      }
      text += String(value).padStart(width, '0');
    } else if (typeof value === 'string' || typeof value === 'number') text += value;
    else return { code: 'wrong-type', field, expected: 'string' };
  }
  return text;
}

/** What `{unit}`, `{attempt}` and the unit's own fields stand for. */
export function unitField(unit: Unit, name: string, attempt: number): JsonValue | undefined {
  if (name === 'unit') return unit.id;
  if (name === 'attempt') return attempt;
  if (name === 'index' && unit.index !== undefined) return unit.index;
  return Object.hasOwn(unit.data, name) ? unit.data[name] : undefined;
}

/** Makes a pattern of a loaded pipeline ready for many units. */
export function compilePattern(text: string): (unit: Unit, attempt: number) => string {
  const parsed = parsePattern(text);
  if (!('pattern' in parsed)) throw new Error(`not a pattern: ${text}`);
  return (unit, attempt) => {
    const filled = fillPattern(parsed.pattern, (name) => unitField(unit, name, attempt));
    if (typeof filled !== 'string') throw new Error(`${unit.id} has no field ${filled.field} for ${text}`);
    return filled;
  };
}

/** The text of a loaded pipeline's pattern for one unit, and for one attempt where the pattern tells them apart. */
export function expandPattern(pattern: string, unit: Unit, attempt = 1): string {
  return compilePattern(pattern)(unit, attempt);
}
