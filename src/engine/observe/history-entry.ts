import type { DecisionKind } from '../../model/decisions.ts';
import type { DecidedBy } from '../../model/event.ts';
import type { PolicySource } from '../../model/reason.ts';
import type { InspectedAttempt } from './inspected.ts';

/** One decision. Who made it is recorded since version 0.2; older journals lack it. */
export interface HistoryEntry extends DecidedBy {
  /** `ACTOR#SEQ` of its first event. */
  readonly id: string;
  readonly at: string;
  readonly kind: DecisionKind;
  /** The flag, the question, the path or the words that it is about. */
  readonly subject?: string;
  /** The name of the question that was answered. */
  readonly question?: string;
  readonly reason?: string;
  readonly guard?: string;
  /** The changes that it answered, as `pawl plan` names them. */
  readonly changes?: readonly string[];
  /** What became of which steps; empty: it affects the run as a whole. */
  readonly effects: readonly DecisionEffect[];
  /** Units, phases or files that `pawl decide` named. */
  readonly affects?: readonly string[];
  /** Who set the policy that re-ran the steps. */
  readonly policy?: PolicySource;
  /** The decisions that it takes back, by their ids. */
  readonly undoes?: readonly string[];
  /** The decision that took it back; absent: it stands. */
  readonly undoneBy?: string;
}

export interface DecisionEffect {
  readonly kind: DecisionKind;
  readonly steps: readonly string[];
  /** The path of an adopted file. */
  readonly path?: string;
}

/** An attempt at a step, or a decision about it. */
export type StoryEntry =
  | { readonly at: string; readonly attempt: InspectedAttempt; readonly decision?: never }
  | { readonly at: string; readonly decision: HistoryEntry; readonly attempt?: never };
