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

/** What is called a secret is not written into a file that people share. A name in the environment is no secret. */
function withoutSecrets(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const isSecret = secretKey.test(key) && typeof item === 'string' && !item.startsWith('$');
      return [key, isSecret ? '(removed)' : withoutSecrets(item)];
    }),
  );
}
