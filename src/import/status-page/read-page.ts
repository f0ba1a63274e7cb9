import type { StatusWord } from '../../projections/status-page/status-words.ts';
import type { ReadHash } from '../../projections/status-page/values.ts';

/** Values of a page with their lines. Undefined: missing or ambiguous. */
export interface ReadPage {
  readonly unit: string | undefined;
  readonly runId: string | undefined;
  readonly specHash: ReadHash | undefined;
  readonly startedAt: string | undefined;
  readonly lastUpdatedAt: string | undefined;
  readonly currentStage: string | undefined;
  readonly status: StatusWord | undefined;
  /** How often the current stage was tried again. */
  readonly retryCount: number | undefined;
  readonly completed: readonly ReadCompleted[];
  readonly current: ReadCurrent | undefined;
  readonly iterations: readonly ReadIterations[];
  readonly clusters: readonly ReadCluster[];
  readonly checkpoints: readonly ReadCheckpoint[];
  readonly notes: readonly ReadNote[];
}

export interface ReadCompleted {
  /** In the pipeline's own spelling where it has such a phase. */
  readonly stage: string;
  readonly artifact: { readonly path: string; readonly hash: ReadHash | undefined } | undefined;
  readonly completedAt: string | undefined;
  readonly iterations: number | undefined;
  readonly line: number;
}

export interface ReadCurrent {
  readonly stage: string | undefined;
  readonly attempt: number | undefined;
  readonly iteration: number | undefined;
  readonly startedAt: string | undefined;
  readonly retryCount: number | undefined;
  readonly files: readonly string[];
}

export interface ReadIterations {
  readonly loop: string;
  readonly used: number;
  readonly max: number | undefined;
  readonly line: number;
}

export interface ReadCluster {
  readonly defect: string;
  readonly count: number;
  readonly max: number | undefined;
  readonly line: number;
}

export interface ReadCheckpoint {
  readonly name: string;
  readonly id: string | undefined;
  /** Ticked. That a person decided so is known only from the journal. */
  readonly cleared: boolean;
  readonly decidedBy: string | undefined;
  readonly at: string | undefined;
  readonly line: number;
}

export interface ReadNote {
  readonly at: string | undefined;
  readonly text: string;
  readonly line: number;
}
