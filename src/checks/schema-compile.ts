import { Ajv, type AnySchema, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isJsonObject, type JsonValue } from '../base/json.ts';
import { fail, ok, type Result } from '../base/result.ts';

/** Why a schema cannot be used, and where: `#/properties/a/pattern`. */
export interface SchemaProblem {
  readonly place: string;
  readonly problem: 'wrong-shape' | 'unsupported' | 'bad-pattern' | 'reference-not-found' | 'too-deep';
}

/**
 * Compiles a schema of draft 2020-12, or of the draft that its `$schema` names. What cannot be judged is refused,
 * because ignoring it would accept bad content: a draft that is not known, a reference to another document. Words that
 * no draft knows are annotations, as the standard says.
 */
export function compileSchema(root: JsonValue): Result<ValidateFunction, SchemaProblem> {
  if (typeof root !== 'boolean' && !isJsonObject(root)) return fail({ place: '#', problem: 'wrong-shape' });
  const deep = findTooDeep(root);
  if (deep !== undefined) return fail({ place: deep, problem: 'too-deep' });
  const ajv = createAjv(root);
  if (ajv === undefined) return fail({ place: '#/$schema', problem: 'unsupported' });
  const dynamic = findPlace(root, (key) => key === '$dynamicRef');
  if (dynamic !== undefined && hasResources(root)) return fail({ place: dynamic, problem: 'unsupported' });
  const schema = withStaticReferences(withoutDialect(root));
  const dangling = findPlace(root, (key, value) => isDangling(root, key, value));
  if (dangling !== undefined) return fail({ place: dangling, problem: 'reference-not-found' });
  try {
    if (ajv.validateSchema(schema) !== true) return fail(problemOf(ajv.errors?.[0]));
    return ok(ajv.compile(schema));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const missing = (error as { missingRef?: string }).missingRef;
    const pattern = findPlace(root, isBadPattern);
    if (pattern !== undefined) return fail({ place: pattern, problem: 'bad-pattern' });
    const reference = findPlace(root, (key, value) => isReference(key) && isMissing(value, missing));
    if (reference !== undefined) return fail({ place: reference, problem: 'reference-not-found' });
    return fail({ place: '#', problem: 'unsupported' });
  }
}

const options: Options = {
  strict: false,
  logger: false,
  verbose: true,
  // A property called `toString` has to be in the value itself.
  ownProperties: true,
  unicodeRegExp: true,
  code: { regExp: Object.assign(compilePattern, { code: 'compilePattern' }) },
};

/** Undefined: the schema names a draft that is not known. */
function createAjv(root: AnySchema): Ajv | undefined {
  const create = dialectOf(root);
  if (create === undefined) return undefined;
  const ajv = create();
  // Of a package that is no module: types and bundlers differ in where its function is.
  (addFormats as unknown as (to: Ajv) => void)(ajv);
  ajv.addFormat('regex', isPattern);
  ajv.removeKeyword('multipleOf').addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    validate: (divisor: number, value: number) => isMultiple(value, divisor),
  });
  return ajv;
}

/** Tenths and hundredths have no exact binary form: 4.02 is a multiple of 0.01 all the same. */
function isMultiple(value: number, divisor: number): boolean {
  const quotient = value / divisor;
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient));
}

function dialectOf(root: AnySchema): (() => Ajv) | undefined {
  const named = isJsonObject(root) ? root.$schema : undefined;
  // Before 2020 a tuple was a list under `items`: schemas that do not name their draft still use it.
  if (named === undefined) return hasTuple(root) ? () => new Ajv2019(options) : () => new Ajv2020(options);
  const [, year, draft] =
    /^https?:\/\/json-schema\.org\/draft(?:\/(20\d\d)-\d\d|-0([467]))\/schema#?$/.exec(String(named)) ?? [];
  if (draft !== undefined) return () => new Ajv(options);
  if (year === '2019') return () => new Ajv2019(options);
  return year === '2020' ? () => new Ajv2020(options) : undefined;
}

/** The standard wants Unicode patterns; many that are in use are not valid as such. */
function compilePattern(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern);
  }
}

function isPattern(text: string): boolean {
  try {
    compilePattern(text, 'u');
    return true;
  } catch {
    return false;
  }
}

/** Drafts 4 and 6 are judged as draft 7, whose own name the validator would insist on. */
function withoutDialect(root: AnySchema): AnySchema {
  if (!isJsonObject(root) || root.$schema === undefined) return root;
  const { $schema: _, ...schema } = root;
  return schema;
}

function problemOf(error: ErrorObject | undefined): SchemaProblem {
  const place = `#${error?.instancePath ?? ''}`;
  return { place, problem: error?.keyword === 'format' ? 'bad-pattern' : 'wrong-shape' };
}

/** Schemas with an `$id` of their own below the root. */
function hasResources(root: JsonValue): boolean {
  return membersOf(root).some(([, inner]) => findPlace(inner, (key) => key === '$id') !== undefined);
}

/**
 * In a document without other resources the dynamic scope is the document, so both kinds of reference mean the same. With
 * other resources the validator would resolve dynamic ones wrongly: those are refused.
 */
function withStaticReferences<T extends JsonValue>(schema: T): T {
  if (findPlace(schema, (key) => key === '$dynamicRef') === undefined) return schema;
  const text = JSON.stringify(schema, (_, value) => {
    if (!isJsonObject(value) || !('$dynamicRef' in value || '$dynamicAnchor' in value)) return value;
    const { $dynamicRef: reference, $dynamicAnchor: anchor, ...rest } = value;
    if (reference !== undefined && rest.$ref !== undefined)
      return { ...rest, allOf: [...listOf(rest.allOf), { $ref: reference }] };
    return {
      ...rest,
      ...(reference !== undefined && { $ref: reference }),
      ...(anchor !== undefined && { $anchor: anchor }),
    };
  });
  return JSON.parse(text) as T;
}

const depthMax = 200;

/** The place where it is nested too deep: whatever reads a schema is recursive. */
function findTooDeep(root: JsonValue): string | undefined {
  const waiting = [{ value: root, place: '#', depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.depth > depthMax) return next.place;
    for (const [key, value] of membersOf(next.value))
      waiting.push({ value, place: `${next.place}/${escapePointer(key)}`, depth: next.depth + 1 });
  }
  return undefined;
}

function hasTuple(value: JsonValue): boolean {
  return membersOf(value).some(
    ([key, inner]) => (key === 'items' && Array.isArray(inner)) || hasTuple(inner),
  );
}

/** The first place below the root whose key and value are such; the validator does not say where it failed. */
function findPlace(
  value: JsonValue,
  isSuch: (key: string, value: JsonValue) => boolean,
  place = '#',
): string | undefined {
  for (const [key, inner] of membersOf(value)) {
    const at = `${place}/${escapePointer(key)}`;
    const found = isSuch(key, inner) ? at : findPlace(inner, isSuch, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isBadPattern(key: string, value: JsonValue): boolean {
  if (key === 'pattern') return typeof value === 'string' && !isPattern(value);
  return key === 'patternProperties' && membersOf(value).some(([pattern]) => !isPattern(pattern));
}

function isReference(key: string): boolean {
  return key === '$ref' || key === '$dynamicRef' || key === '$recursiveRef';
}

function isMissing(value: JsonValue, missing: string | undefined): boolean {
  if (typeof value !== 'string') return false;
  return decodePointer(value) === undefined || missing?.endsWith(value) === true;
}

/** The validator finds `#/constructor` in every schema, because every object inherits one. */
function isDangling(root: JsonValue, key: string, value: JsonValue): boolean {
  if (key !== '$ref' || typeof value !== 'string' || !value.startsWith('#/')) return false;
  const parts = decodePointer(value)?.split('/').slice(1) ?? [];
  return parts.some(
    (part) => part in Object.prototype && findPlace(root, (name) => name === part) === undefined,
  );
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function decodePointer(reference: string): string | undefined {
  try {
    return decodeURIComponent(reference);
  } catch {
    return undefined;
  }
}

function membersOf(value: JsonValue): [string, JsonValue][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
