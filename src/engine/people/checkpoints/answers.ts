import type { Cost } from '../../../model/event.ts';
import type { CheckpointView, ShownFile } from '../../observe/questions.ts';
import type { TextDiff } from '../../observe/text-diff.ts';
import type { RunHeading } from '../../open/find-run.ts';

export interface CheckpointsAnswer {
  readonly heading: RunHeading;
  /** What waits for a person; with `history` also what was decided or has come to nothing. */
  readonly checkpoints: readonly CheckpointView[];
  readonly history: boolean;
}

/** One question with all that it is about. */
export interface ShowAnswer {
  readonly heading: RunHeading;
  readonly checkpoint: CheckpointView;
  readonly files: readonly ShownContent[];
  /** What was tried, where every attempt was used. */
  readonly attempts: readonly TriedAttempt[];
}

export interface TriedAttempt {
  readonly attempt: number;
  /** Undefined: it did not fail. */
  readonly failure: string | undefined;
  readonly message: string | undefined;
  readonly ms: number | undefined;
  readonly cost: Cost | undefined;
}

export interface ShownContent extends ShownFile {
  /** Undefined: it is no text, or too long to be shown. */
  readonly text: string | undefined;
  readonly size: number;
  /** To what was judged last at the same place; undefined: nothing was, or it was the same. */
  readonly diff: TextDiff | undefined;
}

export interface DecideAnswer {
  readonly heading: RunHeading;
  readonly checkpoint: CheckpointView;
  readonly decision: 'approved' | 'rejected';
  /** Where a file has changed: the phase from which everything is done again. */
  readonly restart: string | undefined;
  /** The same had been said before: nothing was written. */
  readonly already: boolean;
}
