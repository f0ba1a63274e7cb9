import { createHash } from 'node:crypto';
import { type Disk, DiskError, type OpenFile } from '../disk/disk.ts';
import { writeAll } from '../disk/write.ts';
import { chunkBytes, type HashedFile } from './hash-file.ts';

/**
 * Copies a file of any size into an open one and hashes what it copied, so that the hash is of these very bytes
 * even when somebody still writes to the source. Other work goes on in between. Undefined: there is no source.
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
