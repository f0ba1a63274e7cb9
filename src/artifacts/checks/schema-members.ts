import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { type Misfit, memberPath, misfit } from './misfit.ts';
import type { Schema } from './schema-compile.ts';

/** One validation under way. */
export interface Walk {
  readonly schema: Schema;
  /** Judges a part of the value by a part of the schema. */
  readonly judge: (walk: Walk, schema: JsonValue, value: JsonValue, path: string) => Misfit | undefined;
  stepsLeft: number;
  depth: number;
}

export function judgeArray(
  walk: Walk,
  schema: JsonObject,
  value: readonly JsonValue[],
  path: string,
): Misfit | undefined {
  const { minItems, maxItems, uniqueItems } = schema;
  if (typeof minItems === 'number' && value.length < minItems) {
    return misfit(path, `at least ${minItems} items`, value);
  }
  if (typeof maxItems === 'number' && value.length > maxItems) {
    return misfit(path, `at most ${maxItems} items`, value);
  }
  if (uniqueItems === true && new Set(value.map(canonicalJson)).size < value.length) {
    return misfit(path, 'no item twice', value);
  }
  return judgeItems(walk, schema, value, path) ?? judgeContains(walk, schema, value, path);
}

export function judgeObject(
  walk: Walk,
  schema: JsonObject,
  value: JsonObject,
  path: string,
): Misfit | undefined {
  const { minProperties, maxProperties, required } = schema;
  const keys = Object.keys(value);
  if (Array.isArray(required)) {
    const absent = required.find((key) => !Object.hasOwn(value, key));
    if (absent !== undefined) return misfit(memberPath(path, absent), 'a value', undefined);
  }
  if (typeof minProperties === 'number' && keys.length < minProperties) {
    return misfit(path, `at least ${minProperties} properties`, value);
  }
  if (typeof maxProperties === 'number' && keys.length > maxProperties) {
    return misfit(path, `at most ${maxProperties} properties`, value);
  }
  return judgeMembers(walk, schema, value, keys, path) ?? judgeDependencies(walk, schema, value, path);
}

function judgeItems(
  walk: Walk,
  schema: JsonObject,
  value: readonly JsonValue[],
  path: string,
): Misfit | undefined {
  const { items, prefixItems, additionalItems } = schema;
  // Before 2020 a tuple was written as a list under `items`, and the rest as `additionalItems`.
  const tuple = Array.isArray(items) ? items : Array.isArray(prefixItems) ? prefixItems : [];
  const rest = Array.isArray(items) ? additionalItems : items;
  for (const [at, item] of value.entries()) {
    const problem = walk.judge(walk, tuple[at] ?? rest ?? true, item, `${path}[${at}]`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function judgeContains(
  walk: Walk,
  schema: JsonObject,
  value: readonly JsonValue[],
  path: string,
): Misfit | undefined {
  const { contains, minContains = 1, maxContains = value.length } = schema;
  if (contains === undefined) return undefined;
  const count = value.filter(
    (item, at) => walk.judge(walk, contains, item, `${path}[${at}]`) === undefined,
  ).length;
  if (count >= Number(minContains) && count <= Number(maxContains)) return undefined;
  return misfit(path, `${minContains} to ${maxContains} items as in contains`, value);
}

function judgeMembers(
  walk: Walk,
  schema: JsonObject,
  value: JsonObject,
  keys: readonly string[],
  path: string,
): Misfit | undefined {
  const { propertyNames, additionalProperties = true } = schema;
  const properties = asObject(schema.properties);
  const patterns = Object.entries(asObject(schema.patternProperties));
  for (const key of keys) {
    const member = value[key] as JsonValue;
    const at = memberPath(path, key);
    const named = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const matching = patterns
      .filter(([pattern]) => walk.schema.patterns.get(pattern)?.test(key))
      .map(([, inner]) => inner);
    const own = named === undefined ? matching : [named, ...matching];
    for (const inner of own.length === 0 ? [additionalProperties] : own) {
      const problem = walk.judge(walk, inner, member, at);
      if (problem !== undefined) return inner === false ? misfit(at, 'no such property', member) : problem;
    }
    if (propertyNames !== undefined && walk.judge(walk, propertyNames, key, at) !== undefined) {
      return misfit(at, 'another name', key);
    }
  }
  return undefined;
}

function judgeDependencies(
  walk: Walk,
  schema: JsonObject,
  value: JsonObject,
  path: string,
): Misfit | undefined {
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    for (const [key, dependency] of Object.entries(asObject(schema[keyword]))) {
      if (!Object.hasOwn(value, key)) continue;
      const inner = Array.isArray(dependency) ? { required: dependency } : dependency;
      const problem = walk.judge(walk, inner, value, path);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function asObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : noMembers;
}

const noMembers: JsonObject = Object.freeze(Object.create(null));
