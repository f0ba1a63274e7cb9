import type { JsonObject } from '../base/json.ts';
import type { Ledger } from '../ledger/ledger.ts';

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
