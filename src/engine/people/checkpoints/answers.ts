import type { Hash } from '../../../base/hash.ts';
import type { QuestionAnswer } from '../../../ledger/questions.ts';
import type { Channel } from '../../../model/definition.ts';
import type { Cost, QuestionKind } from '../../../model/event.ts';
import type { Spending } from '../../../model/reason.ts';
import type { RunHeading, TextDiff } from '../../observe/answers.ts';

/** What a person is asked, or was. */
export interface CheckpointView {
  /** Undefined: it has not been asked yet. */
  readonly id: string | undefined;
  readonly question: QuestionKind;
  readonly name: string;
  /** Empty for what concerns every unit. */
  readonly unit: string;
  readonly phase: string;
  /**
   * - `waiting`: somebody has to answer.
   * - `not-asked`: it has come up since the run was last gone on with.
   * - `superseded`: what it was about is no longer there, or no longer matters.
   */
  readonly state: 'waiting' | 'not-asked' | 'approved' | 'rejected' | 'superseded' | 'expired';
  readonly askedAt: string | undefined;
  readonly expires: string | undefined;
  readonly shown: readonly ShownFile[];
  /** Of an open question about a budget: what was spent of it, and how much may be. */
  readonly spending?: Spending;
  readonly channels: readonly Channel[];
  /** The phase that a rejection sends back to. */
  readonly redo: string | undefined;
  readonly decided: QuestionAnswer | undefined;
}

export interface ShownFile {
  readonly label: string;
  /** Relative to the workspace; undefined: it is no file. */
  readonly path: string | undefined;
  readonly hash: Hash;
}

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
