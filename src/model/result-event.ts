import type { Hash } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import type { Gate } from './definition.ts';
import type { DecidedBy } from './question-event.ts';
import type { GuardName } from './reason.ts';

/** A file at its declared path, as it was recorded. */
export interface OutputRecord {
  readonly path: string;
  readonly hash: Hash;
  readonly size: number;
  /** Its owner may run it; left out where not, and of results of versions that did not ask. */
  readonly executable?: true;
}

/** `PHASE#ATTEMPT HASH`: which attempt made it, and what it was. */
export type ArtifactRef = string;

export interface FileVersion {
  readonly path: string;
  readonly hash: Hash;
}

export interface PreState {
  readonly hash: Hash;
  readonly path: string;
  /** `UNIT#ATTEMPT` of the commit that made it; absent for the initial state. */
  readonly from?: string;
}

/** What a gate's report says. */
export interface Judgement {
  readonly passed: boolean;
  readonly score?: number;
  readonly scores?: Readonly<Record<string, number>>;
  readonly defects?: readonly string[];
}

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
  /** Another version may have written any other word: it is shown to people, and no decision depends on it. */
  readonly guard: GuardName;
  readonly reason: string;
  /**
   * The new values of parts that belong to one step; only with exactly one step. Null: it has none any more.
   */
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
  /** What it was opened for, so that no one has to guess later. */
  readonly facts: JsonObject;
}

/**
 * What a person can open: a guard of the plan, or what keeps results from being made again (`rerun-requested`), a run
 * from going on (`limit-reached`) and its files from being removed (`gc`).
 */
export type OpenedGuard = GuardName | 'rerun-requested' | 'limit-reached' | 'gc';

/**
 * Results of earlier attempts count again, because a decision was taken back (`pawl undo`) or an attempt was chosen
 * (`pawl restore`). The event holds the results in full, so that the fold needs no history. Their bytes are in the
 * content store, and the next plan puts them back at their paths.
 */
export interface ResultsRestored extends DecidedBy {
  readonly type: 'results_restored';
  readonly steps: readonly RestoredStep[];
  /** `ACTOR#SEQ` of every decision that is taken back; absent: an attempt was chosen. */
  readonly undoes?: readonly string[];
  /** Further events of the same decision follow. Without the last one the decision is not made, and can be repeated. */
  readonly more?: true;
  readonly reason?: string;
}

export interface RestoredStep {
  readonly unit: string;
  readonly phase: string;
  /** By round of the gate's loop, the first at 0; null: that round has no result. */
  readonly results: readonly (ResultToRestore | null)[];
  /** The change of prompt that the newest of these results comes from. */
  readonly promptChange?: { readonly before?: Hash; readonly after?: Hash; readonly reason?: string };
}

/** A result as the ledger holds it. */
export interface ResultToRestore extends RestoredParts {
  readonly attempt: number;
  readonly round: number;
  readonly outputs: Readonly<Record<string, OutputRecord>>;
  readonly ms: number;
  readonly at: string;
  readonly seq: number;
  /** When its files were put back last; absent: never. */
  readonly placedAt?: string;
  readonly prompt?: Hash;
  readonly feedback?: Hash;
  readonly verdict?: string;
  readonly passed?: boolean;
  readonly score?: number;
  readonly defects?: readonly string[];
  readonly response?: Hash;
  readonly byHand?: boolean;
  readonly imported?: boolean;
  readonly isFound?: boolean;
  readonly reported?: boolean;
  readonly skipped?: boolean;
  readonly boundTo?: { readonly unit: string; readonly listed: boolean; readonly unitData?: Hash };
  /** It is kept as outdated: what stands above are the parts that it is kept for, and `made` what it was made from. */
  readonly kept?: { readonly guard: string; readonly reason: string; readonly made: RestoredParts };
  readonly actor?: string;
  readonly files?: Readonly<Record<string, { readonly hash: Hash; readonly size: number }>>;
  readonly note?: string;
}

/** What a result was made from. */
export interface RestoredParts {
  readonly revision: number;
  readonly unitData?: Hash;
  readonly unitFile?: FileVersion;
  readonly inputs?: Readonly<Record<string, ArtifactRef>>;
  readonly preState?: PreState;
}

/** What a gate looks at. */
export interface GateReport {
  readonly verdict: string | undefined;
  readonly score?: number | undefined;
}

/** Whether a gate lets a report through: by its verdict, by its score, and by both where it asks for both. */
export function isLetThrough(gate: Gate, { verdict, score }: GateReport): boolean {
  if (gate.path !== undefined && !gate.pass.includes(verdict ?? '')) return false;
  return gate.bar === undefined || (score !== undefined && score >= gate.bar);
}
