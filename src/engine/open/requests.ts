import type { DefinedPipeline } from '../../pipeline/define.ts';
import type { SelectionRequest } from '../../planner/selection.ts';
import type { PhaseFunction } from '../../runner/executors/task.ts';

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
