import { dirname, isAbsolute } from 'node:path';
import type { HookCall } from './call.ts';
import type { Disk, World } from './world.ts';

/** The workspace that a call is about: the agent's folder or one above it; else one of those that are known besides. */
export function workspaceOf({ env, folders }: World, { cwd }: Pick<HookCall, 'cwd'>): string | undefined {
  const starts = cwd === undefined ? folders : [cwd, ...folders];
  for (const start of starts) {
    const root = findWorkspace(env.disk, start);
    if (root !== undefined) return root;
  }
  return undefined;
}

/** The nearest folder, from this one upwards, that holds a brief, or runs that may have one. */
function findWorkspace(disk: Disk, start: string): string | undefined {
  if (!isAbsolute(start)) return undefined;
  let folder = start;
  for (let level = 0; level < levelsMax; level++) {
    if (holdsBrief(disk, folder)) return folder;
    const above = dirname(folder);
    if (above === folder) return undefined;
    folder = above;
  }
  return undefined;
}

const levelsMax = 32;

function holdsBrief(disk: Disk, folder: string): boolean {
  try {
    return (
      disk.stat(`${folder}/.pawl/brief`)?.kind === 'file' ||
      disk.stat(`${folder}/.pawl/runs`)?.kind === 'folder'
    );
  } catch {
    // A folder that cannot be read is skipped.
    return false;
  }
}
