import { isJsonObject, type JsonValue } from '../../base/json.ts';

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
