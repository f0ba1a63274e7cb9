import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { OutputSpec } from '../../model/definition.ts';
import type { AttemptFailure } from '../../model/failure.ts';

/** The outputs that a model's answer holds, by name. */
export function partsOf(
  answer: string,
  outputs: readonly OutputSpec[],
): Result<Record<string, Uint8Array>, AttemptFailure> {
  const isJson = (output: OutputSpec) => output.from?.kind === 'json';
  const wantsText = outputs.some((output) => !isJson(output));
  const wantsJson = outputs.filter(isJson);
  if (answer.trim() === '') return fail({ reason: 'answer-empty', message: '' });
  const split = splitAnswer(answer, wantsText, wantsJson.length > 0);
  const values: Record<string, Uint8Array> = {};
  let parsed: JsonValue | undefined;
  if (split.json !== undefined) {
    const read = parse(split.json);
    if (!read.ok) return read;
    parsed = read.value;
  }
  for (const { name, from, optional } of outputs) {
    if (from?.kind !== 'json') {
      if (split.text === '' && !optional)
        return fail({ reason: 'answer-empty', message: '', facts: { output: name } });
      if (split.text !== '') values[name] = encode(`${split.text}\n`);
      continue;
    }
    const value = from.key === undefined ? parsed : memberOf(parsed, from.key);
    if (value !== undefined) values[name] = encode(`${JSON.stringify(value, null, 2)}\n`);
    else if (!optional)
      return fail({
        reason: 'answer-unparsable',
        message: parsed === undefined ? 'no ```json block' : `no key ${from.key ?? ''}`,
        facts: { output: name },
      });
  }
  return ok(values);
}

/**
 * The schema that an answer is asked for in: of one output, or of an object with a member for each. Undefined where text
 * is wanted as well, or nothing is said of the JSON: then it is for the prompt to say.
 */
export function schemaOf(outputs: readonly OutputSpec[]): JsonObject | undefined {
  const schemas = outputs.map(({ check }) =>
    check?.kind === 'json-schema' && isJsonObject(check.schema) ? check.schema : undefined,
  );
  if (schemas.every((schema) => schema === undefined)) return undefined;
  if (outputs.some(({ from }) => from?.kind !== 'json')) return undefined;
  const [first] = outputs;
  if (outputs.length === 1 && first?.from?.kind === 'json' && first.from.key === undefined) return schemas[0];
  const properties: Record<string, JsonValue> = {};
  const required: string[] = [];
  for (const [at, { from, optional }] of outputs.entries()) {
    if (from?.kind !== 'json' || from.key === undefined) return undefined;
    properties[from.key] = schemas[at] ?? {};
    if (!optional) required.push(from.key);
  }
  return { type: 'object', properties, required, additionalProperties: false };
}

interface SplitAnswer {
  readonly text: string;
  readonly json: string | undefined;
}

/** Where both are wanted the JSON stands in the last block that is marked as such, and the rest is the text. */
function splitAnswer(answer: string, wantsText: boolean, wantsJson: boolean): SplitAnswer {
  const trimmed = answer.trim();
  if (!wantsJson) return { text: trimmed, json: undefined };
  if (!wantsText) {
    const fenced = /^```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n```$/.exec(trimmed)?.[1];
    return { text: '', json: fenced ?? trimmed };
  }
  // With the line end before it: the block may stand at the very beginning.
  const start = [...`\n${trimmed}`.matchAll(/\n```json[ \t]*\r?\n/g)].at(-1)?.index;
  if (start === undefined) return { text: trimmed, json: undefined };
  const bodyStart = trimmed.indexOf('\n', start) + 1;
  const end = trimmed.indexOf('\n```', bodyStart - 1);
  const bodyEnd = end === -1 ? trimmed.length : end;
  const before = trimmed.slice(0, Math.max(0, start));
  const after = end === -1 ? '' : trimmed.slice(end + '\n```'.length);
  const text = [before.trim(), after.trim()].filter((part) => part !== '').join('\n\n');
  return { text, json: trimmed.slice(bodyStart, bodyEnd) };
}

function parse(text: string): Result<JsonValue, AttemptFailure> {
  try {
    return ok(JSON.parse(text) as JsonValue);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return fail({ reason: 'answer-unparsable', message });
  }
}

function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

const depthMax = 64;

/** A schema that leaves nothing open: every object names all of its members, and every list what is in it. */
export function isClosed(schema: JsonValue | undefined, depth = 0): boolean {
  if (depth > depthMax || !isJsonObject(schema)) return false;
  const isClosedBelow = (below: JsonValue | undefined) => isClosed(below, depth + 1);
  const { type, properties, items, anyOf, $defs, $ref } = schema;
  if ($defs !== undefined && !(isJsonObject($defs) && Object.values($defs).every(isClosedBelow)))
    return false;
  if (typeof $ref === 'string' || schema.enum !== undefined || schema.const !== undefined) return true;
  if (Array.isArray(anyOf)) return anyOf.every(isClosedBelow);
  const types = Array.isArray(type) ? type : [type];
  if (types.includes('object')) {
    const { required, additionalProperties } = schema;
    if (!isJsonObject(properties) || additionalProperties !== false || !Array.isArray(required)) return false;
    const isNamed = (name: string) => required.includes(name);
    if (!Object.keys(properties).every(isNamed) || !Object.values(properties).every(isClosedBelow))
      return false;
  }
  if (types.includes('array') && !isClosedBelow(items)) return false;
  return types.every((one) => typeof one === 'string');
}
