import { join } from 'node:path';
import { type Disk, DiskError } from '../../../disk/disk.ts';
import { replaceFileNow } from '../../../disk/write.ts';

/** Sets some room aside, to be given back when the disk is full. A disk that is full already has none to spare. */
export function keepReserve(disk: Disk, actorFolder: string): void {
  const path = join(actorFolder, reserveName);
  try {
    if (disk.stat(path) === undefined) replaceFileNow(disk, path, new Uint8Array(reserveBytes));
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
  }
}

/** Gives the room back when the error says that there is no more; false when that cannot help. */
export function releaseReserve(disk: Disk, actorFolder: string, error: unknown): boolean {
  if (!(error instanceof DiskError) || !fullCodes.has(error.code) || error.operation !== 'write')
    return false;
  const path = join(actorFolder, reserveName);
  if (disk.stat(path) === undefined) return false;
  disk.remove(path);
  return true;
}

const reserveName = 'reserve';
const reserveBytes = 64 * 1024;
const fullCodes = new Set(['ENOSPC', 'EDQUOT']);
