import type { Disk } from './world.ts';

/*
 * Hooks write in a few folders of the workspace. A repository of another author can have a symbolic link in the place of
 * any of them, so nothing is written or removed behind a link.
 */

/** A folder of the workspace, to write in. Throws where a link, or anything else that is no folder, is on the way. */
export function ownFolder(disk: Disk, root: string, folder: string): string {
  const stranger = strangerOn(disk, root, folder);
  if (stranger !== undefined) throw new Error(`no folder of the workspace itself: ${stranger}`);
  return `${root}/${folder}`;
}

/** Whether a run lies in the workspace itself. */
export function isRunsOwn(disk: Disk, root: string, folder: string): boolean {
  try {
    return strangerOn(disk, root, `${folder}/events`) === undefined;
  } catch {
    return false;
  }
}

/** The first part of the path that is no folder. Missing folders are fine: the writer creates them. */
function strangerOn(disk: Disk, root: string, folder: string): string | undefined {
  let path = root;
  for (const name of folder.split('/')) {
    path = `${path}/${name}`;
    const found = disk.stat(path);
    if (found === undefined) return undefined;
    if (found.kind !== 'folder') return path;
  }
  return undefined;
}
