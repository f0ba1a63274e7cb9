import type { Hash } from '../base/hash.ts';
import type { ArtifactRef, FileVersion, PreState } from './attempt-record.ts';
import type { DecidedBy } from './decided-by.ts';
import type { OutputRecord } from './output-record.ts';

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
  readonly results: readonly (RestoredResult | null)[];
  /** The change of prompt that the newest of these results comes from. */
  readonly promptChange?: { readonly before?: Hash; readonly after?: Hash; readonly reason?: string };
}

/** A result as the ledger holds it. */
export interface RestoredResult extends RestoredParts {
  readonly attempt: number;
  readonly round: number;
  readonly outputs: Readonly<Record<string, OutputRecord>>;
  readonly ms: number;
  readonly at: string;
  readonly seq: number;
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
