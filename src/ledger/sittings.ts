import type { RunResumed } from '../model/event.ts';
import type { Ledger } from './ledger.ts';
import { noteSession } from './notes.ts';

const resumesKept = 1000;

/** A later process took the run up again. */
export function noteResume(
  ledger: Ledger,
  { at, from, manifestChanged = false }: RunResumed & { at: string },
): void {
  ledger.ended = undefined;
  ledger.resumes += 1;
  noteSession(ledger.notes, at);
  ledger.resumeHistory.push({ at, from, manifestChanged });
  if (ledger.resumeHistory.length > resumesKept) ledger.resumeHistory.shift();
}

/** The machine's boot under which the newest events were written. */
export function noteBoot(ledger: Ledger, boot: string, seq: number): void {
  if (ledger.boot === boot && ledger.bootSince !== 0) return;
  ledger.boot = boot;
  ledger.bootSince = seq;
}
