import type { Hash } from '../../base/hash.ts';
import type { Phase } from '../../model/definition.ts';
import type { StatusWord } from './status-words.ts';

/** What a person reads about one unit: `docs/formats/status.md`. A projection. */
export interface StatusPage {
  readonly unit: string;
  readonly runId: string;
  /** Of the file that the pipeline calls its spec; undefined: it has none, or it is not there yet. */
  readonly specHash: Hash | undefined;
  readonly startedAt: string;
  readonly lastUpdatedAt: string;
  /** The phase that the unit has reached; undefined: all phases are done. */
  readonly currentStage: string | undefined;
  readonly status: StatusWord;
  /** In the order of the phases; a phase with several artifacts has one entry for each. */
  readonly completed: readonly CompletedStage[];
  readonly current: CurrentStage | undefined;
  readonly iterations: readonly IterationCount[];
  readonly clusters: readonly FailureCluster[];
  readonly checkpoints: readonly StatusCheckpoint[];
  /** In the order of time. */
  readonly notes: readonly StatusNote[];
}

export interface CompletedStage {
  readonly stage: string;
  /** Undefined of a phase that makes no file. */
  readonly artifact: { readonly path: string; readonly hash: Hash } | undefined;
  readonly completedAt: string;
  /** The round of the gate's loop that it was made in. */
  readonly iterations: number;
}

export interface CurrentStage {
  readonly stage: string;
  /** The number of the newest attempt; 0 before the first. */
  readonly attempt: number;
  readonly iteration: number;
  /** Undefined while no attempt is under way. */
  readonly startedAt: string | undefined;
  /** What lies at the paths of its outputs already. */
  readonly files: readonly string[];
}

/** How often a gate's loop has gone round. */
export interface IterationCount {
  /** The phase that has the gate. */
  readonly loop: string;
  readonly used: number;
  readonly max: number | undefined;
}

/** A defect, and in how many rounds it was found. */
export interface FailureCluster {
  readonly defect: string;
  readonly count: number;
  readonly max: number | undefined;
}

/** A point where a person decides. */
export interface StatusCheckpoint {
  readonly name: string;
  /** `C1`; empty: it was not asked yet. */
  readonly id: string;
  readonly cleared: boolean;
  readonly decidedBy: string | undefined;
  /** When it was decided; of an open one since when it is. */
  readonly at: string | undefined;
}

export interface StatusNote {
  /** Undefined if the text itself has the time, or it is unknown. */
  readonly at: string | undefined;
  readonly text: string;
}

/** What a page has to know of a phase: what the pipeline says of it, and how the plan has it. */
export interface StatusPhase {
  readonly name: string;
  /** The names of its outputs, in the order of the manifest. */
  readonly outputs: readonly string[];
  readonly when: Phase['when'];
  readonly gate: StatusGate | undefined;
  /**
   * - `done`: its result stands. Only a plan knows: a gate may have sent it back, or a file may be gone.
   * - `skipped`: it need not run.
   * - `open`: anything else.
   */
  readonly standing: 'done' | 'skipped' | 'open';
  /** The round of its loop that it stands in; 1 outside of loops. */
  readonly round: number;
}

export interface StatusGate {
  /** The phase that a bad verdict goes back to. */
  readonly backTo: string;
  /** How often the loop may run in all. */
  readonly iterations: number;
  /** In how many rounds the same defect may be found; undefined: no limit. */
  readonly cluster?: number | undefined;
}
