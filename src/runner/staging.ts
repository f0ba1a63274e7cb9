import { dirname, join, relative, sep } from 'node:path';
import type { Hash } from '../base/hash.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { copyAndHash } from '../disk/copy-file.ts';
import { type Disk, DiskError, type FileAccess, type FileStat, type OpenFile } from '../disk/disk.ts';
import { chunkBytes } from '../disk/hash-file.ts';
import { removeTree } from '../disk/remove.ts';
import { newTempName, writeAll } from '../disk/write.ts';

/** A future output: a fresh file that only has to be given its name. */
export interface Staged {
  readonly path: string;
  readonly size: number;
  /** These two move along with the name, so they are known before it is given. */
  readonly ino: number;
  readonly mtimeMs: number;
  readonly executable?: true;
}

/** What an output is given with its bytes: whether it may be run. */
export type Runnable = Pick<Staged, 'executable'>;

export type PromotionFailure =
  /** A folder stands where the output belongs. */
  | { readonly reason: 'target-is-folder'; readonly path: string }
  /** Something on the way to the output is a file. */
  | { readonly reason: 'parent-not-a-folder'; readonly path: string }
  /** There is nothing to promote: it was promoted already, or a power cut took it. */
  | { readonly reason: 'staged-missing'; readonly path: string };

/**
 * Writes an output under a fresh inode into the run's staging folder. A leftover of the same name is of an attempt
 * that died, and is removed. Not synced, nor is the promotion: the content store holds the durable bytes. Others may
 * read it as the umask says once it has its name: the staging folder itself is private.
 */
export function stage(
  disk: Disk,
  stagingFolder: string,
  name: string,
  bytes: Uint8Array,
  runnable: Runnable = {},
): Staged {
  const path = `${stagingFolder}/${name}`;
  const file = createFresh(disk, path, accessOf(runnable));
  try {
    writeAll(file, bytes, path);
    return stagedAs(path, file.stat());
  } finally {
    file.close();
  }
}

/** Like `stage`, from a file of any size. Undefined: it is gone, or no longer has the bytes of that hash. */
export async function stageFile(
  disk: Disk,
  stagingFolder: string,
  name: string,
  source: string,
  hash: Hash,
  runnable: Runnable = {},
): Promise<Staged | undefined> {
  const path = join(stagingFolder, name);
  const file = createFresh(disk, path, accessOf(runnable));
  try {
    const copied = await copyAndHash(disk, source, file, path, Number.MAX_SAFE_INTEGER);
    if (copied?.hash === hash) return stagedAs(path, file.stat());
  } finally {
    file.close();
  }
  disk.remove(path);
  return undefined;
}

/** Puts a staged file in the place of the target, whole or not at all. */
export function promote(disk: Disk, stagedPath: string, targetPath: string): Result<void, PromotionFailure> {
  try {
    moveMakingFolder(disk, stagedPath, targetPath, 'shared');
    return ok(undefined);
  } catch (error) {
    const failure = error instanceof DiskError ? promotionFailure(disk, stagedPath, targetPath) : undefined;
    if (failure === undefined) throw error;
    return fail(failure);
  }
}

/**
 * Moves what stands at a path out of the way, into the run's folder for such things. Takes anything that has a
 * name: file, folder, link. Gives the new path relative to the root; undefined when there was nothing.
 */
export function setAside(disk: Disk, root: string, path: string, asideFolder: string): string | undefined {
  const source = join(root, path);
  if (disk.stat(source) === undefined) return undefined;
  const target = join(asideFolder, freeName(disk, asideFolder, path.replaceAll(/[/\\]+/g, '__')));
  moveMakingFolder(disk, source, target, 'private');
  return relative(root, target).split(sep).join('/');
}

/** Tries first and asks afterwards: nearly always the folder is there and the name is free. */
function createFresh(disk: Disk, path: string, access: FileAccess): OpenFile {
  try {
    return disk.create(path, access);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') disk.makeFolder(dirname(path));
    else if (code === 'EEXIST') removeTree(disk, path);
    else throw error;
    return disk.create(path, access);
  }
}

function stagedAs(path: string, stat: FileStat): Staged {
  return { path, size: stat.size, ino: stat.ino, mtimeMs: stat.mtimeMs, ...runnableOf(stat) };
}

/** Of a file on disk or of a record. */
export function runnableOf(file: Runnable | undefined): Runnable {
  return file?.executable === true ? { executable: true } : {};
}

function accessOf({ executable }: Runnable): FileAccess {
  return executable ? 'shared-executable' : 'shared';
}

/** `access`: of the folders that are not there yet. */
function moveMakingFolder(disk: Disk, from: string, to: string, access: FileAccess): void {
  try {
    move(disk, from, to);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    disk.makeFolder(dirname(to), access);
    move(disk, from, to);
  }
}

function move(disk: Disk, from: string, to: string): void {
  try {
    disk.rename(from, to);
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
    copyBeside(disk, from, to);
    disk.remove(from);
  }
}

/** A name cannot move to another file system: its bytes go next to the target first, so that it changes at once. */
function copyBeside(disk: Disk, from: string, to: string): void {
  const temp = join(dirname(to), newTempName());
  const file = disk.create(temp, accessOf(runnableOf(disk.stat(from))));
  try {
    try {
      copyChunks(disk, from, file, temp);
    } finally {
      file.close();
    }
    disk.rename(temp, to);
  } catch (error) {
    disk.remove(temp);
    throw error;
  }
}

function copyChunks(disk: Disk, from: string, file: OpenFile, path: string): void {
  for (let offset = 0; ; offset += chunkBytes) {
    const chunk = disk.readRange(from, offset, chunkBytes);
    if (chunk === undefined) throw new DiskError('ENOENT', 'read', from);
    writeAll(file, chunk, path);
    if (chunk.length < chunkBytes) return;
  }
}

/** What the disk says after a failed move; systems do not agree on the code for it. */
function promotionFailure(disk: Disk, stagedPath: string, targetPath: string): PromotionFailure | undefined {
  if (disk.stat(stagedPath) === undefined) return { reason: 'staged-missing', path: stagedPath };
  if (disk.stat(targetPath)?.kind === 'folder') return { reason: 'target-is-folder', path: targetPath };
  for (let at = dirname(targetPath); at !== dirname(at); at = dirname(at)) {
    const stat = disk.stat(at);
    if (stat === undefined) continue;
    return stat.kind === 'folder' || stat.kind === 'link'
      ? undefined
      : { reason: 'parent-not-a-folder', path: at };
  }
  return undefined;
}

function freeName(disk: Disk, folder: string, wanted: string): string {
  // A path may be longer than a single name can be.
  const name = wanted.length <= nameLengthMax ? wanted : wanted.slice(-nameLengthMax);
  for (let count = 0; ; count++) {
    const candidate = count === 0 ? name : `${name}.${count}`;
    if (disk.stat(join(folder, candidate)) === undefined) return candidate;
  }
}

const nameLengthMax = 100;

function codeOf(error: unknown): string | undefined {
  return error instanceof DiskError ? error.code : undefined;
}
