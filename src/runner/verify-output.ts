import type { Hash } from '../base/hash.ts';
import type { Disk } from '../disk/disk.ts';
import type { FileIndex } from '../disk/file-index.ts';
import { hashFile } from '../disk/hash-file.ts';
import { isUnreadable } from '../disk/unreadable.ts';
import type { OutputRecord } from '../model/event.ts';
import { runnableOf } from './staging.ts';

/** What the disk says of a recorded output. */
export type OutputFact =
  /** It has the recorded bytes. */
  | { readonly kind: 'intact' }
  | { readonly kind: 'missing' }
  /** It was edited: it has other bytes. */
  | { readonly kind: 'other'; readonly hash: Hash; readonly size: number }
  /** It has other bytes without an edit: a power cut came before the bytes were on the disk. */
  | { readonly kind: 'torn'; readonly hash: Hash }
  /** A folder, a link, a device, or a file that cannot be read. */
  | { readonly kind: 'not-a-file' };

export interface ProveOptions {
  /** Read the bytes even where the file looks untouched. */
  readonly deep: boolean;
  /**
   * Milliseconds. A file that was changed in any way after this is read as well: an edit can put the modification time back,
   * but not this one. Undefined: the modification time alone decides.
   */
  readonly changedAfter?: number | undefined;
  /** Knows files at their recorded paths; absent: the bytes are read. */
  readonly files?: FileIndex | undefined;
}

/** Never opens what is no file, so that a FIFO cannot hold it up. */
export function proveOutput(
  disk: Disk,
  path: string,
  record: OutputRecord,
  options: ProveOptions,
): OutputFact {
  const stat = disk.stat(path);
  if (stat === undefined) return missing;
  if (stat.kind !== 'file') return notAFile;
  const untouched = options.files?.isUntouched(record.path, stat, record.hash) === true;
  const isChanged = stat.ctimeMs > (options.changedAfter ?? Number.POSITIVE_INFINITY);
  if (untouched && stat.size === record.size && !isChanged && !options.deep) return intact;
  try {
    const found = hashFile(disk, path);
    if (found === undefined) return missing;
    if (found.hash === record.hash) {
      if (!untouched) options.files?.note(record.path, stat, found.hash);
      return intact;
    }
    return untouched ? { kind: 'torn', hash: found.hash } : { kind: 'other', ...found };
  } catch (error) {
    if (isUnreadable(error)) return notAFile;
    throw error;
  }
}

/** A file as it lies there now, as an event records it. Undefined: there is no file. */
export function recordFile(
  disk: Disk,
  files: FileIndex,
  root: string,
  path: string,
): OutputRecord | undefined {
  const stat = disk.stat(`${root}/${path}`);
  const hashed = stat?.kind === 'file' ? hashFile(disk, `${root}/${path}`) : undefined;
  if (stat === undefined || hashed === undefined) return undefined;
  files.note(path, stat, hashed.hash);
  return { path, ...hashed, ...runnableOf(stat) };
}

// One object each: a large run asks tens of thousands of times.
const intact: OutputFact = Object.freeze({ kind: 'intact' });
const missing: OutputFact = Object.freeze({ kind: 'missing' });
const notAFile: OutputFact = Object.freeze({ kind: 'not-a-file' });
