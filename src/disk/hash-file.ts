import { createHash } from 'node:crypto';
import type { Hash } from '../base/hash.ts';
import type { Disk } from './disk.ts';

/** A file is read in pieces of this size where it may be large. */
export const chunkBytes = 1024 * 1024;

export interface HashedFile {
  readonly hash: Hash;
  readonly size: number;
}

/** Hash and size of a file of any size; undefined when there is none. */
export function hashFile(disk: Disk, path: string): HashedFile | undefined {
  const digest = createHash('sha256');
  let size = 0;
  for (;;) {
    const chunk = disk.readRange(path, size, chunkBytes);
    // A file that vanishes half-way was never read whole.
    if (chunk === undefined) return undefined;
    digest.update(chunk);
    size += chunk.length;
    if (chunk.length < chunkBytes) return { hash: `sha256:${digest.digest('hex')}`, size };
  }
}
