import type { JsonValue } from '../../base/json.ts';
import { squash } from '../status-page/status-words.ts';
import { readTime } from './read-time.ts';
import type { RecoveryFields } from './recovery-fields.ts';

/**
 * How far a document can be trusted.
 *
 * - `FRESH`: it includes the newest event, or one of the current phase that is less than half an hour old.
 * - `STALE`: it lacks newer events, so its reader is warned.
 * - `CRITICAL`: it is from another session, or has no readable time. It is rewritten before anything else.
 */
export type StalenessLevel = 'FRESH' | 'STALE' | 'CRITICAL';

export type StalenessCode =
  /** FRESH: nothing has happened since. */
  | 'nothing-since'
  /** FRESH: something has, in the same phase and a short while ago. */
  | 'within-phase'
  /** FRESH: there is no journal to ask, and it was written a short while ago. */
  | 'recently-updated'
  /** STALE: the run is at another phase, or has begun this one since. */
  | 'phase-changed'
  /** STALE: something has happened since, or may have, and it was written more than half an hour ago. */
  | 'too-old'
  /** STALE: written at a time that is yet to come. */
  | 'from-the-future'
  /** CRITICAL: written before this session began, and something has happened since. */
  | 'from-earlier-session'
  /** CRITICAL: it does not say when it was written. */
  | 'no-time'
  /** CRITICAL: what it says is no time. */
  | 'unreadable-time';

export interface Staleness {
  readonly level: StalenessLevel;
  readonly code: StalenessCode;
  /** Below zero where the document is from the future; undefined where its time is not known. */
  readonly ageMs?: number;
}

export interface StalenessFacts {
  /** As found in the document. */
  readonly updatedAt: JsonValue | undefined;
  /** The document's. */
  readonly phase: number | string | null;
  /** The journal's; undefined for a document that is kept by hand. */
  readonly newest: NewestEvent | undefined;
  readonly now: number;
}

/** Where a run stands by its journal. */
export interface NewestEvent {
  readonly at: string;
  readonly phase: number | null;
  readonly phaseName: string | null;
  /** Empty before the first phase has begun. */
  readonly phaseSince: string;
  /** Empty where no session is known of. */
  readonly sessionSince: string;
}

/** What a document says is held against what has happened. The clock alone decides only where there is no journal. */
export function staleness({ updatedAt, phase, newest, now }: StalenessFacts): Staleness {
  if (updatedAt === undefined || updatedAt === null || updatedAt === '')
    return { level: 'CRITICAL', code: 'no-time' };
  const updated = readTime(updatedAt);
  if (updated === undefined) return { level: 'CRITICAL', code: 'unreadable-time' };
  const ageMs = now - updated;
  const newestAt = readTime(newest?.at) ?? Number.NEGATIVE_INFINITY;
  // A clock that was set back makes the journal's own times lie ahead. What the journal has seen is not the future.
  if (updated > Math.max(newestAt, now + aheadMsMax))
    return { level: 'STALE', code: 'from-the-future', ageMs };
  if (newest === undefined) {
    if (ageMs > ageMsMax) return { level: 'STALE', code: 'too-old', ageMs };
    return { level: 'FRESH', code: 'recently-updated', ageMs };
  }
  if (updated >= newestAt) return { level: 'FRESH', code: 'nothing-since', ageMs };
  if (isBefore(updated, newest.sessionSince))
    return { level: 'CRITICAL', code: 'from-earlier-session', ageMs };
  if (!isSamePhase(phase, newest) || isBefore(updated, newest.phaseSince))
    return { level: 'STALE', code: 'phase-changed', ageMs };
  if (ageMs > ageMsMax) return { level: 'STALE', code: 'too-old', ageMs };
  return { level: 'FRESH', code: 'within-phase', ageMs };
}

export type DocumentStaleness = Staleness | { readonly level: 'STALE'; readonly code: 'status-changed' };

/** The same of a document as it lies on disk; `status` is how the run stands, undefined where that is not known. */
export function documentStaleness(
  { updatedAt, phase, status: said }: RecoveryFields,
  {
    newest,
    status,
    now,
  }: { readonly newest: NewestEvent; readonly status: string | undefined; readonly now: number },
): DocumentStaleness {
  const found = staleness({ updatedAt, phase, newest, now });
  // An owner can die and a lease can end without an event in any journal.
  return found.level === 'FRESH' && status !== undefined && said !== status
    ? { level: 'STALE', code: 'status-changed' }
    : found;
}

const ageMsMax = 30 * 60_000;
/** How far two clocks may differ. */
const aheadMsMax = 5 * 60_000;

function isBefore(time: number, since: string): boolean {
  const start = readTime(since);
  return start !== undefined && time < start;
}

function isSamePhase(phase: number | string | null, newest: NewestEvent): boolean {
  if (phase === null || newest.phase === null) return phase === newest.phase;
  if (readPhaseNumber(phase) === newest.phase) return true;
  return typeof phase === 'string' && newest.phaseName !== null && isSameName(phase, newest.phaseName);
}

/** The number of a phase as documents write it: `3`, `"3"`, `Phase 3`, `phase-3`. Undefined for all else, a name too. */
export function readPhaseNumber(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : undefined;
  if (typeof value !== 'string') return undefined;
  const digits = /^\s*(?:phase[\s_#-]*)?(\d{1,6})\s*$/i.exec(value)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Whether two names are the same but for case and what stands between the words. */
export function isSameName(a: string, b: string): boolean {
  return squash(a) === squash(b);
}

/** The number of the only phase with that name, counted from 1. */
export function phaseNamed(phases: readonly string[], name: string): number | undefined {
  const index = phases.findIndex((phase) => isSameName(phase, name));
  return index < 0 || phases.slice(index + 1).some((phase) => isSameName(phase, name))
    ? undefined
    : index + 1;
}
