import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json.ts';

/** What a provider would answer with HTTP 400. */
export class Malformed extends Error {
  readonly param: string;
  constructor(param: string, message: string) {
    super(message);
    this.param = param;
  }
}

type Given = JsonValue | undefined;

export function object(value: Given, path: string): JsonObject {
  return isJsonObject(value) ? value : wrong(value, path, 'an object');
}

export function optionalObject(value: Given, path: string): JsonObject | undefined {
  return value === undefined ? undefined : object(value, path);
}

/** A list with something in it. */
export function list(value: Given, path: string): readonly JsonValue[] {
  if (!Array.isArray(value)) return wrong(value, path, 'an array');
  if (value.length === 0) throw new Malformed(path, `Invalid '${path}': empty array.`);
  if (value.length > itemsMax) throw new Malformed(path, `Invalid '${path}': more than ${itemsMax} items.`);
  return value;
}

/** The text of all parts, and how many are none; `readPart` gives the text of one, or undefined for another kind. */
export function parts(
  value: Given,
  path: string,
  readPart: (part: JsonObject, path: string) => string | undefined,
): { text: string; parts: number } {
  const found = list(value, path).map((part, at) =>
    readPart(object(part, `${path}[${at}]`), `${path}[${at}]`),
  );
  const texts = found.filter((part) => part !== undefined);
  return { text: texts.join(''), parts: found.length - texts.length };
}

export function text(value: Given, path: string): string {
  return typeof value === 'string' ? value : wrong(value, path, 'a string');
}

export function filledText(value: Given, path: string): string {
  const found = text(value, path);
  if (found === '') throw new Malformed(path, `Invalid '${path}': empty string.`);
  return found;
}

export function optionalFlag(value: Given, path: string): boolean {
  if (value === undefined) return false;
  return typeof value === 'boolean' ? value : wrong(value, path, 'a boolean');
}

/** A number from 1 on, when there is one. */
export function optionalCount(value: Given, path: string): void {
  if (value !== undefined) count(value, path);
}

export function count(value: Given, path: string): void {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) {
    wrong(value, path, 'an integer above zero');
  }
}

export function oneOf<T extends string>(value: Given, path: string, words: readonly T[]): T {
  const found = words.find((word) => word === value);
  return found ?? wrong(value, path, `one of ${words.map((word) => `'${word}'`).join(', ')}`);
}

export function onlyKnown(body: JsonObject, known: readonly string[]): void {
  const stranger = Object.keys(body).find((key) => !known.includes(key));
  if (stranger !== undefined) throw new Malformed(stranger, `Unknown parameter: '${stranger}'.`);
}

export function base64(value: Given, path: string): void {
  const found = filledText(value, path);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(found) || found.length % 4 !== 0) wrong(value, path, 'base64');
}

/** An address on the web, or the bytes themselves as `data:TYPE;base64,…`. */
export function fileUrl(value: Given, path: string): void {
  const found = filledText(value, path);
  if (/^https?:\/\//.test(found)) return;
  const comma = found.indexOf(',');
  if (!/^data:[\w.+-]+\/[\w.+-]+;base64$/.test(found.slice(0, comma))) wrong(value, path, 'a URL');
  base64(found.slice(comma + 1), path);
}

/** Each schema of an object has to be closed, and with `allRequired` every property to be required: so with strict schemas. */
export function closedSchema(schema: JsonValue, path: string, allRequired: boolean, depth = 0): void {
  if (depth > schemaDepthMax) throw new Malformed(path, `Invalid schema: deeper than ${schemaDepthMax}.`);
  if (Array.isArray(schema)) {
    for (const [at, member] of schema.entries())
      closedSchema(member, `${path}.${at}`, allRequired, depth + 1);
  }
  if (!isJsonObject(schema)) return;
  if (schema.type === 'object' || schema.properties !== undefined) {
    if (schema.additionalProperties !== false) {
      throw new Malformed(path, `Invalid schema: 'additionalProperties' has to be false at ${path}.`);
    }
    const required = Array.isArray(schema.required) ? schema.required : [];
    const optional = Object.keys(object(schema.properties ?? {}, `${path}.properties`)).find(
      (key) => !required.includes(key),
    );
    if (allRequired && optional !== undefined) {
      throw new Malformed(
        path,
        `Invalid schema: 'required' has to hold every property; '${optional}' lacks.`,
      );
    }
  }
  for (const key of placesOfSchemas) {
    const inner = schema[key];
    if (inner === undefined) continue;
    // Under these the keys are names that people chose, and no words of the schema language.
    const members = mapsOfSchemas.has(key) ? Object.values(object(inner, `${path}.${key}`)) : [inner];
    for (const member of members) closedSchema(member, `${path}.${key}`, allRequired, depth + 1);
  }
}

const itemsMax = 10_000;
const schemaDepthMax = 32;
const mapsOfSchemas = new Set(['properties', '$defs', 'definitions']);
const placesOfSchemas = [...mapsOfSchemas, 'items', 'prefixItems', 'anyOf', 'oneOf', 'allOf'];

function wrong(value: Given, path: string, expected: string): never {
  if (value === undefined) throw new Malformed(path, `Missing required parameter: '${path}'.`);
  const found = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  throw new Malformed(path, `Invalid value for '${path}': expected ${expected}, but got ${found} instead.`);
}
