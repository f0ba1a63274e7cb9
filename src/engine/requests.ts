import type { DefinedPipeline } from '../pipeline/define.ts';
import type { Progress } from '../runner/progress.ts';
import type { PhaseFunction } from '../runner/task.ts';
import type { Extent, RunHeading, StatusAnswer } from './answers.ts';

export type { Progress } from '../runner/progress.ts';

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
export interface OverrideRequest {
  readonly rerunFrom?: string | undefined;
  readonly rerunAll?: boolean | undefined;
  /** A glob over unit ids (`*`, `?`) that narrows a rerun. */
  readonly unit?: string | undefined;
  readonly allowPromptChange?: boolean | undefined;
  readonly forceResume?: boolean | undefined;
  readonly force?: boolean | undefined;
  readonly pastLimits?: boolean | undefined;
  readonly restore?: boolean | undefined;
  readonly reason?: string | undefined;
}

export interface PlanRequest extends Target, OverrideRequest {
  /** A new run, whatever there is. */
  readonly fresh?: boolean | undefined;
  /** Hash every output instead of trusting an unchanged stat. */
  readonly deep?: boolean | undefined;
}

export interface RunRequest extends PlanRequest {
  /** Go on with a run that is there, and never start one. */
  readonly existingOnly?: boolean | undefined;
  /** Displace a holder of whom nobody can tell whether it lives, or who lives and is stuck. */
  readonly takeover?: boolean | undefined;
  readonly observer?: RunObserver | undefined;
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
  readonly kind: 'new' | 'resumed';
  readonly phases: readonly string[];
  readonly units: StatusAnswer['units'];
  readonly extent: Extent;
}
