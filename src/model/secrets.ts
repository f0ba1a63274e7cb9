import { isJsonObject, type JsonValue } from '../base/json.ts';
import { secretShapeIn } from './secret-shapes.ts';
import { handedVariable } from './variables.ts';

export const removedSecret = '(removed)';

/** Whether what is called so holds a secret: a key of a manifest, a header, a variable of the environment. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

const secretName = /secret|token|passw|(?:api|access|private)[-_]?key|credential|authorization/i;

/** An address of the web that lets nobody in by itself: it holds neither a name nor a password. */
export function isPublicAddress(written: string): boolean {
  if (!URL.canParse(written)) return false;
  const { protocol, username, password } = new URL(written);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}

/**
 * A manifest for people to see: what is called a secret or looks like one, and all texts below it, are not written into
 * files that are shared, nor into messages. A name in the environment is no secret.
 */
export function withoutSecrets(value: JsonValue, at = '', isSecret = false): JsonValue {
  if (typeof value === 'string') {
    const isKey = isSecret ? handedVariable(value) === undefined : secretShapeIn(value) !== undefined;
    return isKey ? removedSecret : value;
  }
  if (Array.isArray(value)) return value.map((item, nth) => withoutSecrets(item, `${at}/${nth}`, isSecret));
  if (!isJsonObject(value)) return value;
  const areNames = mapsOfNames.test(at);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const isCalledSecret = !areNames && isSecretName(key);
      return [key, withoutSecrets(item, at === '' ? key : `${at}/${key}`, isSecret || isCalledSecret)];
    }),
  );
}

/** Maps by names that people give: a phase may be called `tokens`. */
const mapsOfNames = /^(?:inputs|(?:stages\/\d+\/)?phases(?:\/[^/]+\/(?:inputs|outputs))?)$/;
