import type { RevisionRecorded, RunResumed } from '../model/event.ts';
import type { Ledger } from './ledger.ts';
import { noteSession } from './notes.ts';

const resumesKept = 1000;

/** A later process resumed the run. */
export function noteResume(ledger: Ledger, { at, from, pace }: RunResumed & { at: string }): void {
  ledger.ended = undefined;
  ledger.resumes += 1;
  noteSession(ledger.notes, at);
  const manifest = ledger.revisions.get(ledger.revision)?.manifest;
  // An agent's call may have recorded a revision since.
  const manifestChanged = ledger.lockedManifest !== undefined && ledger.lockedManifest !== manifest;
  ledger.resumeHistory.push({ at, from, manifestChanged });
  if (ledger.resumeHistory.length > resumesKept) ledger.resumeHistory.shift();
  ledger.lockedManifest = manifest;
  if (pace !== undefined) ledger.pace = pace.after;
}

/**
 * A changed manifest is recorded right after the resume under which it takes effect. Only recorded hashes are compared,
 * because a change that no guard refuses, such as another count of units, is a change as well.
 */
export function noteRevision(
  ledger: Ledger,
  event: RevisionRecorded & { at: string },
  byRunner: boolean,
): void {
  ledger.revisions.set(event.revision, event);
  ledger.revision = Math.max(ledger.revision, event.revision);
  if (!byRunner) return;
  const resume = ledger.resumeHistory.at(-1);
  if (resume !== undefined && ledger.lockedManifest !== undefined && ledger.lockedManifest !== event.manifest)
    ledger.resumeHistory.splice(-1, 1, { ...resume, manifestChanged: true });
  ledger.lockedManifest = event.manifest;
}

/** The machine's boot under which the newest events were written. */
export function noteBoot(ledger: Ledger, boot: string, seq: number): void {
  if (ledger.boot === boot && ledger.bootSince !== 0) return;
  ledger.boot = boot;
  ledger.bootSince = seq;
}
