import type { HistoryEntry } from '../../observe/history-entry.ts';
import type { RunHeading } from '../../open/find-run.ts';

/** What `pawl undo` or `pawl restore` brings back. */
export interface BroughtBackAnswer {
  readonly heading: RunHeading;
  /** The decisions that are taken back, in the order in which they were made; of `restore` none. */
  readonly decisions: readonly HistoryEntry[];
  readonly steps: readonly BroughtBackStep[];
  /** Files that move to `aside/`, because they are not the bytes of a recorded result. */
  readonly aside: readonly string[];
  /** Steps that the next run starts, refuses or waits with. Empty: it pays for nothing. */
  readonly open: readonly string[];
  /** False: it was only shown. */
  readonly done: boolean;
}

export interface BroughtBackStep {
  readonly unit: string;
  readonly phase: string;
  /** The attempt that counted before; absent: none had succeeded yet. */
  readonly from?: number;
  /** The attempt that counts from now on; absent: the step has no result any more. */
  readonly to?: number;
  /** Paths of the outputs whose earlier bytes are put back. */
  readonly outputs: readonly string[];
  /** An input differs from what the result was made from: it counts as outdated (kept). */
  readonly isOutdated?: true;
}
