import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { type Disk, DiskError, type OpenFile } from './disk.ts';
import { chunkBytes, type HashedFile } from './hash-file.ts';
import { writeAll } from './write.ts';

/**
 * Copies a file of any size into an open one and hashes what it copied, so that the hash is of these very
 * bytes even when another process still writes to the source. Other work runs in between. Undefined: there is
 * no source.
 */
export async function copyAndHash(
  disk: Disk,
  source: string,
  target: OpenFile,
  targetPath: string,
  sizeBytesMax: number,
): Promise<HashedFile | undefined> {
  const digest = createHash('sha256');
  let size = 0;
  for (;;) {
    const chunk = disk.readRange(source, size, chunkBytes);
    if (chunk === undefined) return undefined;
    size += chunk.length;
    if (size > sizeBytesMax) throw new DiskError('EFBIG', 'read', source);
    digest.update(chunk);
    writeAll(target, chunk, targetPath);
    if (chunk.length < chunkBytes) return { hash: `sha256:${digest.digest('hex')}`, size };
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/**
 * Copies a file to a path that is ours alone, and with it whether it may be run; what lay there goes. False: it was not
 * there, or is no plain file.
 */
export async function copyTo(disk: Disk, from: string, to: string): Promise<boolean> {
  const stat = disk.stat(from);
  if (stat?.kind !== 'file') return false;
  disk.makeFolder(dirname(to));
  disk.remove(to);
  const file = disk.create(to, stat.executable ? 'private-executable' : 'private');
  try {
    return (await copyAndHash(disk, from, file, to, Number.MAX_SAFE_INTEGER)) !== undefined;
  } finally {
    file.close();
  }
}
