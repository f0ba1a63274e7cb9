import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import type { ErrorKind } from './exchange.ts';
import * as read from './reading.ts';

/* What OpenAI's two protocols have in common. */

export function openAiError(status: number, message: string, param?: string): JsonObject {
  const [type, code] = errorWords.get(status) ?? (status < 500 ? badRequest : broken);
  return { error: { message, type, param: param ?? null, code } };
}

export function openAiErrorDetails(kind: ErrorKind, message: string): JsonObject {
  const [type, code] = eventWords[kind];
  return { message, type, param: null, code };
}

/** The schema of a format for answers; undefined where anything, or any JSON, will do. */
export function readJsonFormat(
  format: JsonObject | undefined,
  named: JsonValue | undefined,
  path: string,
  { lenient, said }: { readonly lenient: boolean; readonly said: string },
): JsonObject | undefined {
  if (format === undefined) return undefined;
  const type = read.oneOf(format.type, `${path}.type`, ['text', 'json_object', 'json_schema']);
  if (type === 'json_object' && !lenient && !/json/i.test(said)) {
    throw new read.Malformed(
      path,
      "The messages must contain the word 'json' to use the format 'json_object'.",
    );
  }
  if (type !== 'json_schema') return undefined;
  const definition = read.object(named, path);
  if (!/^[\w-]{1,64}$/.test(read.text(definition.name, `${path}.name`))) {
    throw new read.Malformed(`${path}.name`, `Invalid '${path}.name': does not match ^[a-zA-Z0-9_-]{1,64}$.`);
  }
  const schema = read.object(definition.schema, `${path}.schema`);
  if (read.optionalFlag(definition.strict, `${path}.strict`) && !lenient) {
    if (schema.type !== 'object')
      throw new read.Malformed(`${path}.schema`, "The root has to be of type 'object'.");
    read.closedSchema(schema, `${path}.schema`, true);
  }
  return schema;
}

type Words = readonly [type: string, code: string | null];
const badRequest: Words = ['invalid_request_error', null];
const broken: Words = ['server_error', null];
const errorWords = new Map<number, Words>([
  [401, ['invalid_request_error', 'invalid_api_key']],
  [404, ['invalid_request_error', 'model_not_found']],
  [429, ['requests', 'rate_limit_exceeded']],
  [503, ['server_error', 'overloaded']],
]);
const eventWords: Record<ErrorKind, Words> = {
  overloaded: ['server_error', 'server_is_overloaded'],
  'rate-limit': ['tokens', 'rate_limit_exceeded'],
  internal: ['server_error', 'server_error'],
};
