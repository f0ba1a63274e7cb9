import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';

/** A JSON Schema that is known to be usable: every keyword has its shape, every reference a target. */
export interface Schema {
  readonly root: JsonValue;
  readonly patterns: ReadonlyMap<string, RegExp>;
  /** By the text of `$ref`. */
  readonly targets: ReadonlyMap<string, JsonValue>;
}

/** Why a schema cannot be used, and where: `#/properties/a/pattern`. */
export interface SchemaProblem {
  readonly place: string;
  readonly problem: 'wrong-shape' | 'unsupported' | 'bad-pattern' | 'reference-not-found' | 'too-deep';
}

/**
 * Reads a schema of draft 2020-12, and the tuples and `dependencies` of the drafts before. What it cannot judge
 * (`unevaluatedProperties`, references to elsewhere) it refuses: ignoring it would call bad content good. Words
 * that no draft knows are notes, as the standard says; so is `format`.
 */
export function compileSchema(root: JsonValue): Result<Schema, SchemaProblem> {
  const patterns = new Map<string, RegExp>();
  const targets = new Map<string, JsonValue>();
  const seen = new Set<JsonValue>();
  const waiting: Located[] = [{ value: root, place: '#', depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value: schema, place, depth } = next;
    if (typeof schema === 'boolean' || seen.has(schema)) continue;
    if (!isJsonObject(schema)) return fail({ place, problem: 'wrong-shape' });
    if (depth > schemaDepthMax) return fail({ place, problem: 'too-deep' });
    seen.add(schema);
    for (const [keyword, value] of Object.entries(schema)) {
      const at = `${place}/${escapePointer(keyword)}`;
      if (unsupported.has(keyword)) return fail({ place: at, problem: 'unsupported' });
      const shape = shapes.get(keyword);
      if (shape === undefined) continue;
      if (!shape.fits(value)) return fail({ place: at, problem: 'wrong-shape' });
      for (const inner of shape.inner?.(value) ?? []) {
        waiting.push({ value: inner.value, place: `${at}${inner.place}`, depth: depth + 1 });
      }
      for (const pattern of shape.patterns?.(value) ?? []) {
        const regex = compilePattern(pattern);
        if (regex === undefined) return fail({ place: at, problem: 'bad-pattern' });
        patterns.set(pattern, regex);
      }
    }
    const reference = schema.$ref;
    if (typeof reference === 'string') {
      const target = resolveReference(root, reference);
      if (target === undefined) return fail({ place: `${place}/$ref`, problem: 'reference-not-found' });
      targets.set(reference, target);
      waiting.push({ value: target, place: reference, depth: depth + 1 });
    }
  }
  return ok({ root, patterns, targets });
}

interface Located {
  readonly value: JsonValue;
  readonly place: string;
  readonly depth: number;
}

const schemaDepthMax = 200;

interface Shape {
  readonly fits: (value: JsonValue) => boolean;
  readonly inner?: (value: JsonValue) => { value: JsonValue; place: string }[];
  readonly patterns?: (value: JsonValue) => string[];
}

const types = new Set<JsonValue>(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']);
const isString = (value: JsonValue) => typeof value === 'string';
const isNumber = (value: JsonValue) => typeof value === 'number';
const isStringList = (value: JsonValue) => Array.isArray(value) && value.every(isString);
const isSchema = (value: JsonValue) => typeof value === 'boolean' || isJsonObject(value);
const isSchemaList = (value: JsonValue) => Array.isArray(value) && value.length > 0 && value.every(isSchema);
const isSchemaMap = (value: JsonValue) => isJsonObject(value) && Object.values(value).every(isSchema);

const any: Shape = { fits: () => true };
const number: Shape = { fits: isNumber };
const count: Shape = { fits: (value) => Number.isInteger(value) && (value as number) >= 0 };
const text: Shape = { fits: isString };
const schema: Shape = { fits: isSchema, inner: (value) => [{ value, place: '' }] };
const schemaList: Shape = { fits: isSchemaList, inner: members };
const schemaMap: Shape = { fits: isSchemaMap, inner: members };

const shapes = new Map<string, Shape>([
  ['$ref', text],
  [
    'type',
    { fits: (value) => types.has(value) || (Array.isArray(value) && value.every((one) => types.has(one))) },
  ],
  ['enum', { fits: (value) => Array.isArray(value) }],
  ['const', any],
  ['multipleOf', { fits: (value) => isNumber(value) && (value as number) > 0 }],
  ['maximum', number],
  ['exclusiveMaximum', number],
  ['minimum', number],
  ['exclusiveMinimum', number],
  ['maxLength', count],
  ['minLength', count],
  ['pattern', { fits: isString, patterns: (value) => [String(value)] }],
  ['maxItems', count],
  ['minItems', count],
  ['uniqueItems', { fits: (value) => typeof value === 'boolean' }],
  ['contains', schema],
  ['maxContains', count],
  ['minContains', count],
  ['maxProperties', count],
  ['minProperties', count],
  ['required', { fits: isStringList }],
  ['dependentRequired', { fits: (value) => isJsonObject(value) && Object.values(value).every(isStringList) }],
  ['dependentSchemas', schemaMap],
  [
    'dependencies',
    {
      fits: (value) =>
        isJsonObject(value) && Object.values(value).every((one) => isStringList(one) || isSchema(one)),
      inner: (value) => members(value).filter((member) => isSchema(member.value)),
    },
  ],
  ['propertyNames', schema],
  ['properties', schemaMap],
  ['patternProperties', { ...schemaMap, patterns: (value) => Object.keys(value as JsonObject) }],
  ['additionalProperties', schema],
  ['items', { fits: (value) => isSchema(value) || isSchemaList(value), inner: schemaOrMembers }],
  ['additionalItems', schema],
  ['prefixItems', schemaList],
  ['allOf', schemaList],
  ['anyOf', schemaList],
  ['oneOf', schemaList],
  ['not', schema],
  ['if', schema],
  ['then', schema],
  ['else', schema],
]);

const unsupported = new Set([
  'unevaluatedProperties',
  'unevaluatedItems',
  '$dynamicRef',
  '$recursiveRef',
  '$vocabulary',
]);

function members(value: JsonValue): { value: JsonValue; place: string }[] {
  return Object.entries(value as JsonObject).map(([key, one]) => ({
    value: one,
    place: `/${escapePointer(key)}`,
  }));
}

function schemaOrMembers(value: JsonValue): { value: JsonValue; place: string }[] {
  return Array.isArray(value) ? members(value) : [{ value, place: '' }];
}

/** The standard wants Unicode patterns; many that are in use are not valid as such. */
function compilePattern(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // Tried without the flag next, and undefined says it then.
    }
  }
  return undefined;
}

/** `#` and `#/a/b`: inside this document only. */
function resolveReference(root: JsonValue, reference: string): JsonValue | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let at: JsonValue | undefined = root;
  for (const part of reference.slice(2).split('/')) {
    const key = unescapePointer(part);
    if (key === undefined || typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) {
      return undefined;
    }
    at = (at as JsonObject)[key];
  }
  return at;
}

function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescapePointer(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}
