import type { JsonObject } from '../../base/json.ts';
import type { CallRecord, Cost } from '../../model/event.ts';
import type { AttemptReason } from '../../model/reason.ts';

/** What attempts at one step left behind. */
export interface LogsAnswer {
  readonly unit: string;
  readonly phase: string;
  /** The newest, or those that were asked for. */
  readonly attempts: readonly LoggedAttempt[];
  /** Numbers of the attempts that were not asked for; absent: there are no others. */
  readonly others?: readonly number[];
}

/** How following ended, and the attempt that was followed last. */
export interface FollowedLogs extends LogsAnswer {
  /**
   * - `nothing-runs`: no process works on the run, so what is there was shown.
   * - `step-finished`: no further attempt at the step is due.
   * - `run-ended`: the process that worked on the run ended.
   * - `stopped`: the one who followed had enough.
   */
  readonly followed: 'nothing-runs' | 'step-finished' | 'run-ended' | 'stopped';
}

export interface LoggedAttempt {
  readonly attempt: number;
  readonly iteration: number;
  readonly startedAt: string;
  /** Why it was started; absent: its start is lost. */
  readonly why?: AttemptReason;
  readonly outcome: 'succeeded' | 'failed' | 'interrupted' | 'released' | 'paused' | 'running' | 'in-doubt';
  readonly ms: number | undefined;
  readonly call?: CallRecord;
  readonly cost?: Cost;
  /** `RUN UNIT/PHASE#ATTEMPT`: the result of another run was taken, and nothing was run. */
  readonly reused?: string;
  readonly failure: string | undefined;
  readonly facts?: JsonObject;
  readonly message: string | undefined;
  readonly superseded: boolean;
  /** Relative to the workspace; undefined: nothing was kept in a folder. */
  readonly folder: string | undefined;
  /** Output only, unless all files were asked for. */
  readonly files: readonly LoggedFile[];
  /** Names of files that were not asked for; absent: there are no others. */
  readonly otherFiles?: readonly string[];
}

export interface LoggedFile {
  readonly name: string;
  /** What the attempt said (`error` on stderr, `answer` of a model), or what it was started with. */
  readonly kind: 'output' | 'error' | 'answer' | 'context';
  readonly text: string;
  /** Only the end is here. */
  readonly cut: boolean;
}
