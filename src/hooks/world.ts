import type { BriefState } from '../engine/brief/state-file.ts';
import type { Environment } from '../engine/environment.ts';

/** The world that a hook works in. Tests pass another one. */
export interface World {
  readonly env: Environment;
  /** Folders to look for a workspace in when the agent's own does not lie in one. */
  readonly folders: readonly string[];
  /** The command that starts Pawl in this folder, for an agent to type. */
  command(root: string): string;
  /** Makes the brief of the run in a folder anew from its journals: slow, and loaded only where it is needed. */
  refresh(root: string, folder: string): Promise<Refreshed>;
}

export interface Refreshed {
  /** Undefined: nothing was made, and what was written last has to do. */
  readonly state: BriefState | undefined;
  /** For the log. */
  readonly trouble?: string | undefined;
}

export type Disk = Environment['disk'];
