import type { FinishedStep } from '../engine/brief/finished-step.ts';
import type { BriefState } from '../engine/brief/state-file.ts';
import type { Environment } from '../engine/open/environment.ts';

/** The world that a hook works in. Tests pass another one. */
export interface World {
  readonly env: Environment;
  /** Folders to look for a workspace in when the agent's own does not lie in one. */
  readonly folders: readonly string[];
  /** The command that starts Pawl in this folder, for an agent to type. */
  command(root: string): string;
  /** The folder of the attempt that Pawl itself has started this agent for. */
  readonly attempt?: string | undefined;
  /** The finished step whose recorded output lies at this path: slow, and loaded only where it is needed. */
  finishedStep(root: string, run: RunPlace, path: string): Promise<FinishedStep | undefined>;
  /** Regenerates the brief of the run in a folder from its journals: slow, and loaded only where it is needed. */
  refresh(root: string, folder: string): Promise<Refreshed>;
}

/** A run, and its folder relative to the workspace. */
export interface RunPlace {
  readonly id: string;
  readonly folder: string;
}

export interface Refreshed {
  /** Undefined: nothing was regenerated, so the last one is used. */
  readonly state: BriefState | undefined;
  /** For the log. */
  readonly trouble?: string | undefined;
}

export type Disk = Environment['disk'];
