import type { JsonObject } from '../base/json.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { withoutSecrets } from '../model/secrets.ts';

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
