import type { Environment } from '../../open/environment.ts';
import type { Workspace } from '../../open/workspace.ts';
import type { Machine } from './machine.ts';

/** What all checks look at. */
export interface DoctorScope {
  readonly env: Environment;
  readonly machine: Machine;
  /** The folder that was asked about, absolute; it may not be there. */
  readonly start: string;
}

/** A workspace, be its manifest valid or not. */
export interface Site extends DoctorScope {
  /** Absolute. */
  readonly root: string;
  /** Undefined: its manifest is missing, or cannot be used. */
  readonly workspace: Workspace | undefined;
}

/** Also through links. */
export function isExistingFolder({ disk }: Environment, path: string): boolean {
  const real = disk.realpath(path);
  return real !== undefined && disk.stat(real)?.kind === 'folder';
}
