import type { Finding } from '../../model/failure.ts';
import type { RunHeading } from '../open/find-run.ts';

export interface RepairAnswer {
  readonly heading: RunHeading;
  readonly accepted: readonly Finding[];
  /** What the lost first record said, as far as other files know it. */
  readonly facts: readonly LostFact[];
  /** Results that are on record again. */
  readonly restored: readonly RestoredResult[];
  /** Outputs whose bytes were put back into the content store. */
  readonly healed: readonly string[];
  /** Outputs of earlier attempts whose bytes are in no file any more. */
  readonly lost: readonly string[];
  /** Files of the journal in which nothing could be read. */
  readonly moved: readonly { readonly from: string; readonly to: string }[];
}

export interface LostFact {
  readonly name: string;
  readonly value: string;
  /** The file that it was found in. */
  readonly from: string;
}

export interface RestoredResult {
  readonly unit: string;
  readonly phase: string;
  readonly attempt: number;
  /** What proves it: the snapshot, or a success whose outputs are intact and whose start was lost. */
  readonly from: 'snapshot' | 'success';
}
