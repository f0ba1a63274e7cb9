import type { JsonObject } from '../base/json.ts';
import { currentResult, type Ledger } from '../ledger/ledger.ts';
import type { LayoutSpec, Unit } from '../model/definition.ts';
import { withoutSecrets } from '../model/secrets.ts';
import { isOver } from '../model/status.ts';

/** `run.json`: what a run is and where its journal stood when this was written. A projection. */
export function runSummary(ledger: Ledger, head: { epoch: number; seq: number }): JsonObject {
  return {
    schema_version: 1,
    run: ledger.run?.run ?? '',
    pipeline: ledger.run?.pipeline ?? '',
    identity: ledger.run?.identity ?? {},
    manifest: ledger.run?.manifest ?? '',
    status: ledger.ended ?? 'running',
    created_at: ledger.createdAt,
    updated_at: ledger.updatedAt,
    resumes: ledger.resumes,
    journal: head,
  };
}

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

/** `layout.progress`: how far a run is, for people and scripts, in the words of its layout. A projection. */
export function runProgress(
  ledger: Ledger,
  { unitKey, doneKey }: LayoutSpec,
  units: readonly Unit[],
  extentOf: (unit: string) => 'finished' | 'failed' | 'pending',
): JsonObject {
  const status = ledger.ended ?? 'in-progress';
  const isCounted = units.every(({ index }) => index !== undefined);
  const byId = new Map(units.map((unit) => [unit.id, unit]));
  const nameOf = (unit: Unit | undefined) => (isCounted ? unit?.index : unit?.id) ?? null;
  const named = (extent: ReturnType<typeof extentOf>) =>
    units.filter(({ id }) => extentOf(id) === extent).map(nameOf);
  const pending = named('pending');
  const outdated = units.filter(({ id }) => hasKept(ledger, id)).map(nameOf);
  const plural = isCounted ? `${unitKey}_indices` : `${unitKey}s`;
  return {
    schema_version: 1,
    run_id: ledger.run?.run ?? '',
    run_status: status,
    manifest_hash: ledger.revisions.get(ledger.revision)?.manifest ?? '',
    created_at: ledger.createdAt,
    updated_at: ledger.updatedAt,
    resumable: ledger.ended === undefined || !isOver(ledger.ended),
    [`resume_from_${unitKey}`]: pending[0] ?? null,
    [`${doneKey}_${plural}`]: named('finished'),
    [`pending_${plural}`]: pending,
    [`failed_${plural}`]: named('failed'),
    ...(outdated.length > 0 && { outdated }),
    resume_history: ledger.resumeHistory.map(({ at, from, manifestChanged }) => ({
      resumed_at: at,
      [`from_${unitKey}`]: from === undefined ? null : (nameOf(byId.get(from)) ?? from),
      manifest_hash_match: !manifestChanged,
    })),
  };
}

/** A result of the unit is kept although what it was made from changed. */
function hasKept({ steps }: Ledger, unit: string): boolean {
  const ofUnit = steps.byUnit.get(unit);
  return ofUnit !== undefined && [...ofUnit.values()].some((step) => currentResult(step)?.kept !== undefined);
}
