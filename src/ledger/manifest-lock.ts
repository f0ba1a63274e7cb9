import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { Ledger } from './ledger.ts';

/** `manifest.lock.json`: the manifest that a run goes by, and every one that it went by. A projection. */
export function manifestLock(ledger: Ledger, manifest: JsonObject): JsonObject {
  const history = [...ledger.revisions.values()].map(({ revision, manifest: hash, at }) => ({
    revision,
    manifest_hash: hash,
    recorded_at: at,
  }));
  return {
    schema_version: 1,
    run_id: ledger.run?.run ?? '',
    manifest_hash: ledger.revisions.get(ledger.revision)?.manifest ?? '',
    revision: ledger.revision,
    history,
    manifest: withoutSecrets(manifest) as JsonObject,
  };
}

const secretKey = /secret|token|passw|api[-_]?key|private[-_]?key|credential|authorization/i;

const variable = /^\$[A-Za-z_][A-Za-z0-9_]*$/;
/** Maps by names that people give: a phase may be called `tokens`. */
const mapsOfNames = /^(?:inputs|(?:stages\/\d+\/)?phases(?:\/[^/]+\/(?:inputs|outputs))?)$/;

/**
 * What is called a secret, and all texts below it, are not written into a file that people share. A name in the
 * environment is no secret.
 */
function withoutSecrets(value: JsonValue, at = '', isSecret = false): JsonValue {
  if (typeof value === 'string') return isSecret && !variable.test(value) ? '(removed)' : value;
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
