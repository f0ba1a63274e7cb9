import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Ids } from '../base/ids.ts';
import { type Disk, DiskError, type FileAccess, type OpenFile } from './disk.ts';

/**
 * Writes every byte. A nearly full disk takes a part and reports success: who ignores the count installs a torn
 * file. No progress at all is taken for a full disk, so that this always ends.
 */
export function writeAll(file: OpenFile, bytes: Uint8Array, path: string): void {
  let written = 0;
  while (written < bytes.length) {
    const count = file.write(written === 0 ? bytes : bytes.subarray(written));
    if (count <= 0) throw new DiskError('ENOSPC', 'write', path);
    written += count;
  }
}

export interface ReplaceOptions {
  /** False: whole or not at all while the machine stays up, anything after a power loss. For projections. */
  readonly durable: boolean;
  /** Where the file waits under a temporary name, and where a kill leaves it. Beside its place when nothing is said. */
  readonly tempFolder?: string;
  /** Whose it is; private when nothing is said. */
  readonly access?: FileAccess | undefined;
}

/** Puts the bytes at `path`: readers find the old file or the new one, whole. Its folder must exist. */
export async function replaceFile(
  disk: Disk,
  path: string,
  bytes: Uint8Array,
  options: ReplaceOptions,
): Promise<void> {
  const { durable, tempFolder = dirname(path), access } = options;
  if (!durable) return replaceFileNow(disk, path, bytes, tempFolder, access);
  const temp = join(tempFolder, newTempName());
  // The bytes must be durable before the name leads to them, or a power loss leaves a name with nothing behind it.
  await writeNewFile(disk, temp, bytes, access);
  if (!renameOrRemove(disk, temp, path)) return replaceFile(disk, path, bytes, { durable, access });
  await disk.syncFolder(dirname(path));
}

/** `replaceFile` without durability and without a promise. */
export function replaceFileNow(
  disk: Disk,
  path: string,
  bytes: Uint8Array,
  tempFolder: string = dirname(path),
  access?: FileAccess,
): void {
  const temp = join(tempFolder, newTempName());
  const file = disk.create(temp, access);
  try {
    writeAll(file, bytes, temp);
    file.close();
  } catch (error) {
    discard(disk, file, temp);
    throw error;
  }
  if (!renameOrRemove(disk, temp, path)) replaceFileNow(disk, path, bytes, undefined, access);
}

/** Like `replaceFileNow`, for a file of the user's: it keeps its rights, and a new one follows the umask. */
export function replaceTheirFile(disk: Disk, path: string, bytes: Uint8Array, tempFolder: string): void {
  const temp = join(tempFolder, newTempName());
  const file = disk.create(temp, disk.stat(path) === undefined ? 'shared' : 'private');
  try {
    writeAll(file, bytes, temp);
    file.close();
    if (disk.stat(path) !== undefined) disk.copyRights?.(path, temp);
  } catch (error) {
    discard(disk, file, temp);
    throw error;
  }
  if (!renameOrRemove(disk, temp, path)) replaceTheirFile(disk, path, bytes, dirname(path));
}

/** Like `replaceFileNow`, for what is too large to be held: written as it is made. */
export function replaceFileInPieces(disk: Disk, path: string, pieces: Iterable<Uint8Array>): void {
  const temp = join(dirname(path), newTempName());
  const file = disk.create(temp);
  try {
    for (const piece of pieces) writeAll(file, piece, temp);
    file.close();
    disk.rename(temp, path);
  } catch (error) {
    discard(disk, file, temp);
    throw error;
  }
}

/**
 * Makes a file that appears whole under a name that must be free. Its bytes are on the disk before it has the name: no
 * power cut leaves an empty file there. Unless `durable` says otherwise the name survives one as well. False when the
 * name is taken; then too it is durable at return: who took it may have been killed before it synced the folder.
 * Where the file system has no hard links the file is written in place, so another process may see a part of it.
 */
export async function createWhole(
  disk: Disk,
  path: string,
  bytes: Uint8Array,
  { tempName = newTempName(), durable = true }: { tempName?: string; durable?: boolean } = {},
): Promise<boolean> {
  const folder = dirname(path);
  const temp = join(folder, tempName);
  await writeNewFile(disk, temp, bytes);
  let outcome: 'made' | 'taken' | 'no-links';
  try {
    outcome = linkNew(disk, temp, path);
  } finally {
    // The file stands by now or never will: a leftover name changes nothing in that.
    quietly(() => disk.remove(temp));
  }
  const made = outcome === 'no-links' ? await writeInPlace(disk, path, bytes) : outcome === 'made';
  if (durable) await disk.syncFolder(folder);
  return made;
}

/**
 * Makes the folder and those above it, each durable before the next is made in it. So of what was there already only
 * the lowest can be a leftover of a process that was killed between making it and syncing: its parent is synced too.
 * That is one sync at least; who comes here often remembers which folders are done.
 */
export async function makeFolderDurable(disk: Disk, path: string, access?: FileAccess): Promise<void> {
  const missing: string[] = [];
  let lowest = path;
  while (disk.stat(lowest) === undefined && dirname(lowest) !== lowest) {
    missing.push(lowest);
    lowest = dirname(lowest);
  }
  await syncParentIfAllowed(disk, lowest);
  for (const folder of missing.reverse()) {
    disk.makeFolder(folder, access);
    await disk.syncFolder(dirname(folder));
  }
  // Throws when something else than a folder has the name.
  if (missing.length === 0) disk.makeFolder(path);
}

/** A name for a file that is about to get its real one. It does not grow with the real one, which may be long. */
export function newTempName(ids?: Ids): string {
  // Node keeps random bytes for UUIDs in stock, which makes them ten times cheaper than `ids`.
  return `.pawl-${ids === undefined ? randomUUID() : ids.random(36)}.tmp`;
}

/** Whether a name in a folder was made by `newTempName`: a leftover of a crash that no one needs. */
export function isTempName(name: string): boolean {
  return /^\.pawl-[0-9a-z-]{36}\.tmp$/.test(name);
}

/** Leaves nothing behind when it fails. The name must be free: only what was made here may be removed again. */
async function writeNewFile(disk: Disk, path: string, bytes: Uint8Array, access?: FileAccess): Promise<void> {
  const file = disk.create(path, access);
  try {
    writeAll(file, bytes, path);
    await file.sync();
    file.close();
  } catch (error) {
    discard(disk, file, path);
    throw error;
  }
}

/** False: they are on two file systems, between which no name can move. */
function renameOrRemove(disk: Disk, temp: string, path: string): boolean {
  try {
    disk.rename(temp, path);
    return true;
  } catch (error) {
    quietly(() => disk.remove(temp));
    if (error instanceof DiskError && error.code === 'EXDEV' && dirname(temp) !== dirname(path)) return false;
    throw error;
  }
}

function linkNew(disk: Disk, temp: string, path: string): 'made' | 'taken' | 'no-links' {
  try {
    disk.link(temp, path);
    return 'made';
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    if (error.code === 'EEXIST') return 'taken';
    if (isLinkUnsupported(error)) return 'no-links';
    throw error;
  }
}

/** What systems answer where a file cannot have a second name; some network and overlay file systems say EXDEV. */
/** The disk has no hard links, or none for this file. */
export function isLinkUnsupported(error: unknown): boolean {
  return error instanceof DiskError && linksUnsupported.has(error.code);
}

const linksUnsupported = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV']);

async function writeInPlace(disk: Disk, path: string, bytes: Uint8Array): Promise<boolean> {
  try {
    await writeNewFile(disk, path, bytes);
    return true;
  } catch (error) {
    if (error instanceof DiskError && error.operation === 'create' && error.code === 'EEXIST') return false;
    throw error;
  }
}

function discard(disk: Disk, file: OpenFile, path: string): void {
  quietly(() => file.close());
  quietly(() => disk.remove(path));
}

/** For tidying up after a failure, which is the one to tell. */
function quietly(action: () => void): void {
  try {
    action();
  } catch {
    // A leftover under a temporary name does no harm.
  }
}

/** A folder that was there before us may lie in one that we may pass through and not read. */
async function syncParentIfAllowed(disk: Disk, path: string): Promise<void> {
  try {
    await disk.syncFolder(dirname(path));
  } catch (error) {
    if (!(error instanceof DiskError && error.code === 'EACCES')) throw error;
  }
}
