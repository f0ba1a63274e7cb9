import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { type Misfit, misfit } from './misfit.ts';
import type { Schema } from './schema-compile.ts';
import { judgeArray, judgeObject, type Walk } from './schema-members.ts';
import { judgeNumber, judgeString, judgeType, judgeValue } from './schema-scalars.ts';

/** The first place where the value does not fit the schema; undefined: it fits. */
export function validate(schema: Schema, value: JsonValue): Misfit | undefined {
  const walk: Walk = { schema, judge, stepsLeft: stepsMax, depth: 0 };
  try {
    return judge(walk, schema.root, value, '$');
  } catch (error) {
    if (error instanceof TooMuchWork) {
      return { path: error.path, expected: 'a schema that ends', found: 'a loop' };
    }
    throw error;
  }
}

/** A schema may refer to itself without taking a step into the value, or try a million ways. */
const stepsMax = 5_000_000;
const depthMax = 1_000;

class TooMuchWork extends Error {
  readonly path: string;

  constructor(path: string) {
    super('too much work');
    this.path = path;
  }
}

function judge(walk: Walk, schema: JsonValue, value: JsonValue, path: string): Misfit | undefined {
  if (schema === true) return undefined;
  if (schema === false) return misfit(path, 'nothing', value);
  if (--walk.stepsLeft < 0 || walk.depth >= depthMax) throw new TooMuchWork(path);
  walk.depth++;
  // Not put back after `TooMuchWork`: that ends the walk.
  const problem =
    judgeOwn(walk, schema as JsonObject, value, path) ??
    judgeCombined(walk, schema as JsonObject, value, path);
  walk.depth--;
  return problem;
}

/** What a schema says of the value itself. A keyword for another type says nothing. */
function judgeOwn(walk: Walk, schema: JsonObject, value: JsonValue, path: string): Misfit | undefined {
  const problem = judgeType(schema, value, path) ?? judgeValue(schema, value, path);
  if (problem !== undefined) return problem;
  if (typeof value === 'number') return judgeNumber(schema, value, path);
  if (typeof value === 'string') return judgeString(schema, walk.schema.patterns, value, path);
  if (Array.isArray(value)) return judgeArray(walk, schema, value, path);
  return isJsonObject(value) ? judgeObject(walk, schema, value, path) : undefined;
}

function judgeCombined(walk: Walk, schema: JsonObject, value: JsonValue, path: string): Misfit | undefined {
  const { allOf, anyOf, oneOf, not, $ref: reference } = schema;
  if (typeof reference === 'string') {
    const problem = judge(walk, walk.schema.targets.get(reference) ?? false, value, path);
    if (problem !== undefined) return problem;
  }
  for (const inner of asList(allOf)) {
    const problem = judge(walk, inner, value, path);
    if (problem !== undefined) return problem;
  }
  if (not !== undefined && judge(walk, not, value, path) === undefined) {
    return misfit(path, 'anything but this', value);
  }
  return (
    judgeSome(walk, 'anyOf', asList(anyOf), value, path) ??
    judgeSome(walk, 'oneOf', asList(oneOf), value, path) ??
    judgeCondition(walk, schema, value, path)
  );
}

function judgeSome(
  walk: Walk,
  keyword: 'anyOf' | 'oneOf',
  choices: readonly JsonValue[],
  value: JsonValue,
  path: string,
): Misfit | undefined {
  if (choices.length === 0) return undefined;
  const problems: Misfit[] = [];
  let fitting = 0;
  for (const choice of choices) {
    const problem = judge(walk, choice, value, path);
    if (problem !== undefined) problems.push(problem);
    else if (keyword === 'anyOf') return undefined;
    else fitting++;
  }
  if (fitting === 1) return undefined;
  if (fitting > 1) return { path, expected: 'one choice of oneOf to fit', found: `${fitting} that do` };
  // The choice that went deepest is most likely the one that was meant.
  return problems.reduce((best, one) => (one.path.length > best.path.length ? one : best));
}

function judgeCondition(walk: Walk, schema: JsonObject, value: JsonValue, path: string): Misfit | undefined {
  const condition = schema.if;
  if (condition === undefined) return undefined;
  const branch = schema[judge(walk, condition, value, path) === undefined ? 'then' : 'else'];
  return branch === undefined ? undefined : judge(walk, branch, value, path);
}

function asList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
