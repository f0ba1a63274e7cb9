import { isJsonObject, type JsonValue } from '../../base/json.ts';

const depthMax = 64;

/** Every object of a schema names all of its members, and allows no others. */
export function isClosed(schema: JsonValue | undefined, depth = 0): boolean {
  if (depth > depthMax) return false;
  if (Array.isArray(schema)) return schema.every((one) => isClosed(one, depth + 1));
  if (!isJsonObject(schema)) return true;
  const { properties, required, additionalProperties } = schema;
  if (isJsonObject(properties)) {
    const names = Object.keys(properties);
    const all = Array.isArray(required) && names.every((name) => required.includes(name));
    if (!all || additionalProperties !== false) return false;
  } else if (schema.type === 'object') return false;
  return Object.values(schema).every((one) => isClosed(one as JsonValue, depth + 1));
}
