import { type Disk, DiskError } from './disk.ts';

/**
 * Removes a file, a link itself, or a folder with all that lies in it; no complaint when it is not there. Nothing is asked
 * before it has to be, because nearly always it is a file.
 */
export function removeTree(disk: Disk, path: string): void {
  try {
    disk.remove(path);
  } catch (error) {
    if (!(error instanceof DiskError && error.code === 'ENOTEMPTY')) throw error;
    emptyFolder(disk, path);
    disk.remove(path);
  }
}

/** A tool may have made the folder read-only, as caches are: then it gets the rights of the folder that it lies in. */
function emptyFolder(disk: Disk, path: string): void {
  const removeAll = () => {
    for (const name of disk.list(path) ?? []) removeTree(disk, `${path}/${name}`);
  };
  try {
    removeAll();
  } catch (error) {
    if (!(error instanceof DiskError && error.code === 'EACCES')) throw error;
    disk.copyRights?.(path.slice(0, path.lastIndexOf('/')), path);
    removeAll();
  }
}

/**
 * The same for a leftover, which may stay: a program that still writes into it, or a folder that may not be changed,
 * says nothing about the disk. The next sweep tries again.
 */
export function removeLeftover(disk: Disk, path: string): void {
  try {
    removeTree(disk, path);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
  }
}
