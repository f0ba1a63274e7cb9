import { z } from 'zod';
import { isJsonObject, type JsonValue } from '../../base/json.ts';
import { namePattern } from '../../model/names.ts';
import {
  formatPath,
  type KeyPath,
  nearest,
  type ProblemFacts,
  type ProblemList,
  suggestion,
} from '../text/problems.ts';
import { type Manifest, manifestSchema } from './manifest.ts';
import { expectedBy } from './parts.ts';

/** What zod found, in our words. */
export interface SchemaTrouble {
  readonly code: 'unknown-key' | 'missing-key' | 'wrong-type' | 'not-one-of' | 'out-of-range' | 'bad-name';
  readonly path: KeyPath;
  readonly facts: ProblemFacts;
  readonly part: 'key' | 'value';
}

/** An issue of zod's; its path begins where the schema was asked. */
export type Issue = z.core.$ZodIssue & { readonly path: KeyPath };

/** Puts an issue into our codes and facts. `above` is the path to where the issue's own path begins. */
function readIssue(data: JsonValue, above: KeyPath, issue: Issue): SchemaTrouble[] {
  const path = [...above, ...issue.path];
  const value = valueAt(data, path);
  const trouble = (
    code: SchemaTrouble['code'],
    facts: ProblemFacts,
    part: 'key' | 'value' = 'value',
  ): SchemaTrouble[] => [{ code, path, facts, part }];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(path, key));
    case 'invalid_type':
      if (value === undefined) return trouble('missing-key', { expected: typeWord(issue.expected) });
      return trouble('wrong-type', {
        expected: expectedAt(path) ?? typeWord(issue.expected),
        found: typeOf(value),
      });
    case 'invalid_value': {
      if (value === undefined) return trouble('missing-key', { expected: issue.values.map(String) });
      const valid = issue.values.map(String);
      return trouble('not-one-of', { found: show(value), valid, ...suggestion(nearest(show(value), valid)) });
    }
    case 'too_small':
      if (value === '') return trouble('wrong-type', { expected: expectedAt(path) ?? 'a text', found: '' });
      return trouble('out-of-range', { found: sizeOf(value), minimum: Number(issue.minimum) });
    case 'too_big':
      return trouble('out-of-range', { found: sizeOf(value), maximum: Number(issue.maximum) });
    case 'invalid_format':
      return [{ path, part: 'value', ...readFormat(path, issue.pattern, show(value)) }];
    case 'invalid_key':
      return trouble('bad-name', { found: String(path.at(-1)), expected: 'name' }, 'key');
    case 'invalid_union':
      return readUnion(data, path, issue.errors as readonly (readonly Issue[])[]);
    default:
      return trouble('wrong-type', { found: typeOf(value) });
  }
}

function readFormat(
  path: KeyPath,
  pattern: string | undefined,
  found: string,
): Pick<SchemaTrouble, 'code' | 'facts'> {
  if (pattern === String(namePattern)) return { code: 'bad-name', facts: { found, expected: 'name' } };
  return { code: 'wrong-type', facts: { expected: expectedAt(path) ?? String(pattern), found } };
}

/** Of several allowed forms the one that was most likely meant speaks; if none fits, all are named. */
function readUnion(data: JsonValue, path: KeyPath, forms: readonly (readonly Issue[])[]): SchemaTrouble[] {
  const value = valueAt(data, path);
  const fitting = forms.filter((issues) => !issues.some((issue) => otherType(issue, value) !== undefined));
  if (fitting.length === 0) {
    const types = forms.flat().flatMap((issue) => otherType(issue, value) ?? []);
    const expected = [...new Set(types)];
    if (value === undefined) return [{ code: 'missing-key', path, facts: { expected }, part: 'value' }];
    return [{ code: 'wrong-type', path, facts: { expected, found: typeOf(value) }, part: 'value' }];
  }
  const candidates = fitting.map((issues) => issues.flatMap((issue) => readIssue(data, path, issue)));
  // A form with all of its own keys is the one that was meant, whatever is missing further down.
  const isMissingHere = (trouble: SchemaTrouble) =>
    trouble.code === 'missing-key' && trouble.path.length <= path.length + 1;
  const weight = (troubles: readonly SchemaTrouble[]) =>
    troubles.filter(isMissingHere).length * 1000 + troubles.length;
  const [best = []] = candidates.toSorted((a, b) => weight(a) - weight(b));
  if (candidates.length === 1 || !best.some(isMissingHere)) return best;
  const valid = candidates.flatMap((troubles) =>
    troubles.filter(isMissingHere).map((trouble) => String(trouble.path.at(-1))),
  );
  return [{ code: 'missing-key', path, facts: { valid: onlyWritable(valid) }, part: 'key' }];
}

/** The type that a form asks for where the value as a whole has another. */
function otherType(issue: Issue, value: JsonValue | undefined): string | undefined {
  if (issue.path.length > 0) return undefined;
  if (issue.code === 'invalid_type') return typeWord(issue.expected);
  // One of a few words, and no word stands there.
  return issue.code === 'invalid_value' && typeof value === 'object' ? 'string' : undefined;
}

function unknownKey(path: KeyPath, key: string): SchemaTrouble {
  const valid = keysAt(path);
  const facts = { found: key, valid, ...suggestion(nearest(key, valid)) };
  return { code: 'unknown-key', path: [...path, key], facts, part: 'key' };
}

/** The keys that the schema knows at a path. */
function keysAt(path: KeyPath): string[] {
  const objects = formsAt(path).filter((schema) => schema instanceof z.ZodObject);
  return onlyWritable(objects.flatMap((object) => Object.keys(object.shape)));
}

/** What may stand at a path, in a word; undefined: its type is all that can be said. */
function expectedAt(path: KeyPath): string | undefined {
  return formsAt(path)
    .map(expectedBy)
    .find((expected) => expected !== undefined);
}

function formsAt(path: KeyPath): readonly z.core.$ZodType[] {
  let schemas: readonly z.core.$ZodType[] = [manifestSchema];
  for (const key of path) schemas = schemas.flatMap(formsOf).flatMap((schema) => childOf(schema, key));
  return schemas.flatMap(formsOf);
}

/** Each key once, without the one that only `definePipeline` writes. */
function onlyWritable(keys: readonly string[]): string[] {
  return [...new Set(keys)].filter((key) => !unofferedKeys.has(key));
}

function formsOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodOptional) return formsOf(schema.def.innerType);
  if (schema instanceof z.ZodUnion) return schema.def.options.flatMap(formsOf);
  return [schema];
}

function childOf(schema: z.core.$ZodType, key: string | number): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodObject) {
    const child = Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined;
    return child === undefined ? [] : [child];
  }
  if (schema instanceof z.ZodRecord) return [schema.def.valueType];
  return schema instanceof z.ZodArray ? [schema.def.element] : [];
}

function valueAt(data: JsonValue, path: KeyPath): JsonValue | undefined {
  let value: JsonValue | undefined = data;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as { readonly [key: string | number]: JsonValue })[key];
  }
  return value;
}

function typeWord(expected: string): string {
  return typeWords.get(expected) ?? expected;
}

const typeWords = new Map([
  ['object', 'map'],
  ['record', 'map'],
  ['array', 'list'],
  ['int', 'integer'],
]);

function typeOf(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'object' ? 'map' : typeof value;
}

function show(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function sizeOf(value: JsonValue | undefined): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' || Array.isArray(value) ? value.length : 0;
}

/** Keys of an executor that are never suggested: written by definePipeline, and the old spelling of `task`. */
const unofferedKeys: ReadonlySet<string> = new Set(['inline', 'agent']);

/**
 * Checks the shape of a manifest and lists what is wrong with it. Where the trouble lies in parts that nothing
 * else refers to, gives back the manifest without them, so that the rest can be checked in the same go.
 */
export function checkShape(data: JsonValue, problems: ProblemList): Manifest | undefined {
  if (data === null) {
    problems.addAt(undefined, 'manifest-empty', '', {});
    return undefined;
  }
  const version = isJsonObject(data) ? data.pawl : undefined;
  if (typeof version === 'number' && version !== 1) {
    // Of a format that we do not know nothing else can be said.
    problems.add('version-unsupported', 'pawl', { found: version, expected: 1 });
    return undefined;
  }
  const parsed = manifestSchema.safeParse(data);
  if (parsed.success) return parsed.data;

  const troubles = parsed.error.issues.flatMap((issue) => readIssue(data, [], issue as Issue));
  for (const { code, path, facts, part } of troubles) problems.add(code, formatPath(path), facts, part);
  if (troubles.length > troublesMax) return undefined;
  let rest: JsonValue = data;
  for (const trouble of troubles) {
    const droppable = droppablePath(trouble);
    if (droppable === undefined) return undefined;
    rest = without(rest, droppable);
  }
  return manifestSchema.safeParse(rest).data;
}

/** A manifest with more troubles than this is another kind of file. */
const troublesMax = 50;

/** Keys that other parts of the manifest refer to: without them everything else would look wrong, too. */
const referredTo = new Set(
  'units phases stages inputs outputs needs state gate when run model models pawl pipeline'.split(' '),
);

/** The path that can be left out without making anything else wrong. */
function droppablePath({ code, path, facts }: SchemaTrouble): KeyPath | undefined {
  if (code === 'unknown-key') {
    const meant = facts.suggestion;
    return typeof meant === 'string' && referredTo.has(meant) ? undefined : path;
  }
  const phaseAt = path.indexOf('phases');
  const depth = phaseAt === 0 || (phaseAt === 2 && path[0] === 'stages') ? phaseAt + 3 : 1;
  const key = path[depth - 1];
  return key === undefined || referredTo.has(String(key)) ? undefined : path.slice(0, depth);
}

function without(value: JsonValue, path: KeyPath): JsonValue {
  const [key, ...below] = path;
  if (Array.isArray(value)) return value.map((item, at) => (at === key ? without(item, below) : item));
  if (key === undefined || !isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => below.length > 0 || name !== key);
  return Object.fromEntries(
    members.map(([name, item]) => [name, name === key ? without(item, below) : item]),
  );
}
