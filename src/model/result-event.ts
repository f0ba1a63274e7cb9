import type { Hash } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import type { ArtifactRef, FileVersion, Judgement, PreState } from './attempt-record.ts';
import type { DecidedBy } from './decided-by.ts';
import type { OutputRecord } from './output-record.ts';
import type { GuardName } from './reason.ts';

/* What people and policies decide about results that are there. */

/** These results are no longer used, though nothing of them is deleted. */
export interface ResultsSuperseded extends DecidedBy {
  readonly type: 'results_superseded';
  readonly steps: readonly string[];
  readonly because: SupersededBecause;
  /** Only results of this round of a gate's loop and of later ones; absent: all. */
  readonly round?: number;
  readonly reason?: string;
  /** The name of the change that a person answered, as `pawl plan` prints it. */
  readonly change?: string;
}

export type SupersededBecause =
  | 'rerun-requested'
  | 'prompt-changed'
  | 'definition-changed'
  | 'unit-changed'
  | 'file-changed'
  | 'code-changed'
  | 'state-changed';

/** These results stand although what they were made from has changed: they count as made from what is now. */
export interface ResultsKept extends DecidedBy {
  readonly type: 'results_kept';
  readonly steps: readonly string[];
  readonly revision: number;
  /** Another version may have written any other word: it is for people, and nothing hangs on it. */
  readonly guard: GuardName;
  readonly reason: string;
  /** The new values of parts that belong to one cell; only with exactly one cell. Null: it has none any more. */
  readonly unitData?: Hash | null;
  readonly unitFile?: FileVersion | null;
  readonly inputs?: Readonly<Record<string, ArtifactRef>>;
  readonly preState?: PreState;
  /** The attempt whose result it is; absent: those of every round. */
  readonly onlyAttempt?: number;
  /** Its outputs pass the checks as they are now, so that nothing about it is outdated. */
  readonly rechecked?: boolean;
}

/**
 * A file that was edited by hand is from now on what the attempt is taken to have made. A file that no attempt had made
 * becomes a result of its own, which nothing before it is needed for.
 */
export interface ArtifactAdopted extends DecidedBy {
  readonly type: 'artifact_adopted';
  readonly unit: string;
  readonly phase: string;
  readonly output: string;
  /** Absent: there was no result. */
  readonly before?: Hash;
  readonly after: OutputRecord;
  /** The number that the new result has; only without `before`. */
  readonly attempt?: number;
  /** What it was made from, as an imported page records it; absent: nothing is known, and it stands by itself. */
  readonly inputs?: Readonly<Record<string, ArtifactRef>>;
  /** Hash of the unit's own fields; only with `attempt`. */
  readonly unitData?: Hash;
  /** The unit's own file as it is now, where the phase takes it; only with `attempt`. */
  readonly unitFile?: FileVersion;
  /** The inputs that were there then, so that it depends on them; absent: it stands whatever comes before it. */
  readonly madeWith?: MadeWith;
  /** What the edited report says; only of a gate's report. */
  readonly verdict?: string;
  readonly judged?: Judgement;
  readonly reason: string;
}

/** What a result is taken to have been made from. */
export interface MadeWith {
  readonly inputs?: Readonly<Record<string, ArtifactRef>>;
  readonly preState?: PreState;
}

/** A person opened one guard for this once. */
export interface OverrideUsed extends DecidedBy {
  readonly type: 'override_used';
  /** Another version may have written any other word: compare it, and take none for the last one. */
  readonly guard: OpenedGuard;
  readonly flag: string;
  readonly reason?: string;
  /** What it was opened for, so that nobody has to guess later. */
  readonly facts: JsonObject;
}

/**
 * What a person can open: a guard of the plan, or what keeps results from being made again (`rerun-requested`), a run
 * from going on (`limit-reached`) and its files from being removed (`gc`).
 */
export type OpenedGuard = GuardName | 'rerun-requested' | 'limit-reached' | 'gc';
