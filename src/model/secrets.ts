import { isJsonObject, type JsonValue } from '../base/json.ts';

export const removedSecret = '(removed)';

const secretKey = /secret|token|passw|api[-_]?key|private[-_]?key|credential|authorization/i;
const variable = /^\$[A-Za-z_][A-Za-z0-9_]*$/;
/** Maps by names that people give: a phase may be called `tokens`. */
const mapsOfNames = /^(?:inputs|(?:stages\/\d+\/)?phases(?:\/[^/]+\/(?:inputs|outputs))?)$/;

/**
 * A manifest for people to see: what is called a secret, and all texts below it, are not written into files that are
 * shared, nor into messages. A name in the environment is no secret.
 */
export function withoutSecrets(value: JsonValue, at = '', isSecret = false): JsonValue {
  if (typeof value === 'string') return isSecret && !variable.test(value) ? removedSecret : value;
  if (Array.isArray(value)) return value.map((item, nth) => withoutSecrets(item, `${at}/${nth}`, isSecret));
  if (!isJsonObject(value)) return value;
  const areNames = mapsOfNames.test(at);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const isCalledSecret = !areNames && secretKey.test(key);
      return [key, withoutSecrets(item, at === '' ? key : `${at}/${key}`, isSecret || isCalledSecret)];
    }),
  );
}
