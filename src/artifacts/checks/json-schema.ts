import type { JsonValue } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import type { Result } from '../../base/result.ts';
import { parseJson } from './json.ts';
import { type CheckOutcome, failed, passed } from './outcome.ts';
import { compileSchema, type Schema, type SchemaProblem } from './schema-compile.ts';
import { validate } from './schema-validate.ts';
import { runWithTimeLimit } from './time-limit.ts';

/** It is JSON and fits the schema. The detail names the place in the value and what was expected there. */
export function checkJsonSchema(schema: JsonValue, bytes: Uint8Array, timeoutMs: number): CheckOutcome {
  const parsed = parseJson(bytes);
  if (!parsed.ok) return failed(parsed.failure);
  const compiled = compileOnce(schema);
  if (!compiled.ok) return failed(`schema ${compiled.failure.place}: ${compiled.failure.problem}`);
  const judge = () => validate(compiled.value, parsed.value);
  // Only a pattern can run for ever; everything else is counted.
  const verdict =
    compiled.value.patterns.size === 0 ? { value: judge() } : runWithTimeLimit(timeoutMs, judge);
  if (verdict === 'timed-out') return failed(`no answer within ${timeoutMs} ms from a pattern of the schema`);
  const misfit = verdict.value;
  if (misfit === undefined) return passed;
  return failed(`${misfit.path}: expected ${misfit.expected}, found ${misfit.found}`);
}

const compiledSchemas = new WeakMap<object, Result<Schema, SchemaProblem>>();

/** A pipeline has few schemas and many outputs. */
function compileOnce(schema: JsonValue): Result<Schema, SchemaProblem> {
  if (!isJsonObject(schema)) return compileSchema(schema);
  const known = compiledSchemas.get(schema);
  if (known !== undefined) return known;
  const compiled = compileSchema(schema);
  compiledSchemas.set(schema, compiled);
  return compiled;
}
