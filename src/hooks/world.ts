import type { BriefState } from '../engine/brief/state-file.ts';
import type { Environment } from '../engine/environment.ts';

/** The world that a hook works in. Tests pass another one. */
export interface World {
  readonly env: Environment;
  /** Folders to look for a workspace in when the agent's own does not lie in one. */
  readonly folders: readonly string[];
  /** Makes the brief anew from the journals: slow, and loaded only where it is needed. */
  refresh(root: string): Promise<BriefState | undefined>;
}

export type Disk = Environment['disk'];
