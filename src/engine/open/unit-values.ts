import type { Hash } from '../../base/hash.ts';
import { canonicalJson, isJsonObject, type JsonObject } from '../../base/json.ts';
import { findStep, type Ledger } from '../../ledger/ledger.ts';
import type { LoadedPipeline } from '../../pipeline/loaded.ts';
import type { ContentStore } from '../../store/content.ts';

/* The fields of units are kept by their hash, so that a change of them can be shown with its old and its new value. */

/** Results name the hash, so what is in use is never collected. */
export function keepUnitValues({ pipeline, unitData }: LoadedPipeline, store: ContentStore): void {
  for (const { units } of pipeline.stages)
    for (const { id, data } of units) {
      const hash = unitData.get(id);
      if (hash !== undefined && !store.has(hash)) store.put(Buffer.from(canonicalJson(data)));
    }
}

/** Fields that results were made from, of units whose fields are different now. */
export function unitsBefore(
  { pipeline, unitData }: LoadedPipeline,
  ledger: Ledger,
  store: ContentStore,
  only?: ReadonlySet<string>,
): ReadonlyMap<Hash, JsonObject> {
  const found = new Map<Hash, JsonObject>();
  for (const { units, phases } of pipeline.stages)
    for (const { id } of units) {
      if (only?.has(id) === false) continue;
      for (const { name } of phases)
        for (const result of findStep(ledger, id, name)?.results ?? []) {
          const before = result?.kept?.made.unitData ?? result?.unitData;
          if (before === undefined || before === unitData.get(id) || found.has(before)) continue;
          const fields = fieldsIn(store.get(before));
          if (fields !== undefined) found.set(before, fields);
        }
    }
  return found;
}

function fieldsIn(bytes: ReturnType<ContentStore['get']>): JsonObject | undefined {
  if (bytes === undefined || bytes === 'damaged') return undefined;
  const fields: unknown = JSON.parse(new TextDecoder().decode(bytes));
  return isJsonObject(fields) ? fields : undefined;
}
