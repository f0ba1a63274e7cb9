import type { Failure } from '../../model/failure.ts';
import type { DefinedPipeline } from '../../pipeline/define.ts';
import type { SelectionRequest } from '../../planner/selection.ts';
import type { Notification, WaitingFor } from '../../runner/notify/notification.ts';
import type { Progress } from '../../runner/progress.ts';
import type { PhaseFunction } from '../../runner/task.ts';
import type { Extent, RunAnswer, RunHeading, StatusAnswer } from '../observe/answers.ts';

export type { SelectionRequest } from '../../planner/selection.ts';
export type { Progress } from '../../runner/progress.ts';

/** Which workspace and which run of it. */
export interface Target {
  /** A folder with a manifest, or a manifest; undefined: found from the current folder. */
  readonly path?: string | undefined;
  /** A pipeline given in code, instead of a manifest; `path` is then its workspace. */
  readonly pipeline?: DefinedPipeline<PhaseFunction> | undefined;
  /** A run's id, or enough of its beginning; undefined: the one of the manifest's identity. */
  readonly run?: string | undefined;
}

/** What a person asks for on top of going on, as typed. */
export interface OverrideRequest extends SelectionRequest {
  readonly rerunFrom?: string | undefined;
  readonly rerunAll?: boolean | undefined;
  readonly rerunChanged?: boolean | undefined;
  readonly keepChanged?: boolean | undefined;
  /** Names of changes, as a plan prints them. */
  readonly rerunChange?: readonly string[] | undefined;
  readonly keepChange?: readonly string[] | undefined;
  readonly allowPromptChange?: boolean | undefined;
  readonly forceResume?: boolean | undefined;
  readonly force?: boolean | undefined;
  readonly pastLimits?: boolean | undefined;
  readonly restore?: boolean | undefined;
  readonly reason?: string | undefined;
  /** A question was answered with `rerunChanged` or `keepChanged`: which changes it showed, and why this answer. */
  readonly answering?: { readonly changes: ReadonlySet<string>; readonly reason: string } | undefined;
}

export interface PlanRequest extends Target, OverrideRequest {
  /** A new run, whatever there is. */
  readonly fresh?: boolean | undefined;
  /** Of files at the output paths of a new run: adopt those whose check passes. */
  readonly adoptExisting?: boolean | undefined;
  /** Of files at the output paths of a new run: move them to `aside/` when their steps run. */
  readonly replaceExisting?: boolean | undefined;
  /** Hash every output instead of trusting an unchanged stat. */
  readonly deep?: boolean | undefined;
  /** Run every step and ask every model: earlier answers and results of other runs are left alone for this once. */
  readonly noReuse?: boolean | undefined;
  /** Take results of other runs that were made from the same, in every phase of which the manifest says nothing. */
  readonly reuse?: boolean | undefined;
  /** Resume also a run in which nothing has happened for longer than `pace.stale_after`. */
  readonly acceptStale?: boolean | undefined;
}

export interface RunRequest extends PlanRequest {
  /** Go on with a run that is there, and never start one. */
  readonly existingOnly?: boolean | undefined;
  /** Wait for what providers ask to wait for, however long that is, instead of pausing. */
  readonly wait?: boolean | undefined;
  /** How many steps may run at once, instead of `pace.concurrency`. */
  readonly jobs?: number | undefined;
  /** In USD: no step starts once this call of `run` has spent so much. */
  readonly maxUsd?: number | undefined;
  /** Displace a holder of whom nobody can tell whether it lives, or who lives and is stuck. */
  readonly takeover?: boolean | undefined;
  /** A person can be asked: a large re-run is then asked about also where the manifest states the policy. */
  readonly canAsk?: boolean | undefined;
  readonly observer?: RunObserver | undefined;
  /** What `notify` of the manifest is carried out with; undefined: nobody is told. */
  readonly notifying?: Notifying | undefined;
  /** Fires: start nothing more, let what runs end. */
  readonly stop?: AbortSignal | undefined;
  /** Fires: end what runs. */
  readonly interrupt?: AbortSignal | undefined;
}

/** Looks on while a run goes on. */
export interface RunObserver {
  /** Once, when it is known what there is to do. */
  begun(board: Board): void;
  progress(progress: Progress): void;
}

export interface Board {
  readonly heading: RunHeading;
  /** `watched`: another process works on the run. */
  readonly kind: 'new' | 'resumed' | 'watched';
  readonly phases: readonly string[];
  readonly units: StatusAnswer['units'];
  readonly extent: Extent;
}

/** What those who are told of the end of a sitting are told with. */
export interface Notifying {
  /** The words for it. */
  words(end: SittingEnd): Promise<NotificationWords>;
  /** Writes to the terminal that a person looks at. Without one neither `bell` nor `osc9` does anything. */
  readonly terminal?: ((text: string) => void) | undefined;
  /** Somebody could not be told. The answer lists it, too, where there is one. */
  missed?(notification: Notification & { readonly ok: false }): void;
}

/** How a sitting ended. */
export type SittingEnd =
  | { readonly kind: 'answered'; readonly answer: RunAnswer }
  /** Its end is on record, or cannot be; but there is no answer. */
  | { readonly kind: 'broke-off'; readonly heading: RunHeading; readonly failure: Failure };

export interface NotificationWords {
  /** One line, in which nothing is hidden. */
  readonly message: string;
  readonly waiting: readonly WaitingFor[];
  readonly exitCode?: number;
}
