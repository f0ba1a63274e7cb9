import type { ValidateFunction } from 'ajv';
import type { JsonValue } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import type { Result } from '../base/result.ts';
import { parseLimitedJson } from './json.ts';
import { type CheckOutcome, failed, passed } from './outcome.ts';
import { compileSchema, type SchemaProblem } from './schema-compile.ts';
import { misfitOf } from './schema-misfit.ts';
import { runWithTimeLimit } from './time-limit.ts';

/** It is JSON and fits the schema. The detail names the place in the value and what was expected there. */
export function checkJsonSchema(schema: JsonValue, bytes: Uint8Array, timeoutMs: number): CheckOutcome {
  const parsed = parseLimitedJson(bytes);
  if (!parsed.ok) return failed(parsed.failure);
  const compiled = compileOnce(schema);
  if (!compiled.ok) return failed(`schema ${compiled.failure.place}: ${compiled.failure.problem}`);
  const validate = compiled.value;
  const fits = judge(validate, parsed.value, timeoutMs);
  if (fits === 'timed-out') return failed(`no answer within ${timeoutMs} ms from the schema`);
  if (fits === 'endless') return failed('$: expected a schema that ends, found a loop');
  if (fits) return passed;
  const { path, expected, found } = misfitOf(validate.errors ?? []);
  return failed(`${path}: expected ${expected}, found ${found}`);
}

/** A pattern may backtrack without end, a schema refer to itself, or try a million ways: each is ended here. */
function judge(
  validate: ValidateFunction,
  value: JsonValue,
  timeoutMs: number,
): boolean | 'timed-out' | 'endless' {
  try {
    const verdict = runWithTimeLimit(timeoutMs, () => validate(value));
    return verdict === 'timed-out' ? verdict : verdict.value;
  } catch (error) {
    // The stack is used up: a schema that refers to itself without a step into the value.
    if (error instanceof RangeError) return 'endless';
    throw error;
  }
}

const compiledSchemas = new WeakMap<object, Result<ValidateFunction, SchemaProblem>>();

/** A pipeline has few schemas and many outputs. */
function compileOnce(schema: JsonValue): Result<ValidateFunction, SchemaProblem> {
  if (!isJsonObject(schema)) return compileSchema(schema);
  const known = compiledSchemas.get(schema);
  if (known !== undefined) return known;
  const compiled = compileSchema(schema);
  compiledSchemas.set(schema, compiled);
  return compiled;
}
