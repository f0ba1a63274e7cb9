import { type Disk, DiskError } from './disk.ts';

/** Removes a file, a link itself, or a folder with all that lies in it; no complaint when it is not there. */
export function removeTree(disk: Disk, path: string): void {
  if (disk.stat(path)?.kind === 'folder')
    for (const name of disk.list(path) ?? []) removeTree(disk, `${path}/${name}`);
  disk.remove(path);
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
