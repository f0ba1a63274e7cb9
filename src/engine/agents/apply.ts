import { chmodSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail, ok, type Result } from '../../base/result.ts';
import { type Disk, DiskError } from '../../disk/disk.ts';
import { newTempName, writeAll } from '../../disk/write.ts';
import type { Environment } from '../open/environment.ts';
import { diskTrouble, readTextFile } from './files.ts';
import type { FileChange, InstallPlan } from './plan.ts';
import type { AgentTrouble } from './trouble.ts';
import { rememberOrigin } from './undo.ts';

/** The paths that were written or removed, in order. */
export interface Applied {
  readonly written: readonly string[];
}

/** Writes exactly what the plan has shown; nothing at all when a file is no longer as it was shown. */
export async function applyInstall(
  env: Environment,
  plan: InstallPlan,
): Promise<Result<Applied, AgentTrouble>> {
  for (const change of plan.changes) {
    const now = readTextFile(env.disk, change.path);
    if (!now.ok) return now;
    if (now.value.text !== change.before || now.value.target !== change.target)
      return fail({ reason: 'changed-since-shown', path: change.path });
  }
  const written: string[] = [];
  try {
    for (const change of plan.changes) {
      await carryOut(env, plan, change);
      written.push(change.path);
      rememberOrigin(env, change.target, change.after, change.origin);
    }
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return fail(diskTrouble(error, written));
  }
  return ok({ written });
}

async function carryOut({ disk }: Environment, plan: InstallPlan, change: FileChange): Promise<void> {
  const { path, target, before, after } = change;
  if (after === undefined) {
    disk.remove(target);
    disk.remove(path);
    return removeEmptyFolders(disk, dirname(path), plan.keptFolders);
  }
  const isShared = plan.sharedBelow !== undefined && target.startsWith(`${plan.sharedBelow}/`);
  makeFolders(disk, dirname(target), isShared);
  const mode = before === undefined ? (isShared ? 0o666 & ~process.umask() : 0o600) : modeOf(target);
  await replaceWithMode(disk, target, new TextEncoder().encode(after), mode);
}

/**
 * As `replaceFile` does it, but for a mode of the file's own: the disk makes files that are nobody else's business, and
 * settings of a project are.
 */
async function replaceWithMode(
  disk: Disk,
  path: string,
  bytes: Uint8Array,
  mode: number | undefined,
): Promise<void> {
  const temp = `${dirname(path)}/${newTempName()}`;
  const file = disk.create(temp);
  try {
    writeAll(file, bytes, temp);
    await file.sync();
    file.close();
    setMode(temp, mode);
    disk.rename(temp, path);
  } catch (error) {
    quietly(() => file.close());
    quietly(() => disk.remove(temp));
    throw error;
  }
  await disk.syncFolder(dirname(path));
}

function makeFolders(disk: Disk, path: string, isShared: boolean): void {
  const missing: string[] = [];
  for (let at = path; disk.stat(at) === undefined && dirname(at) !== at; at = dirname(at)) missing.push(at);
  disk.makeFolder(path);
  if (isShared) for (const folder of missing) setMode(folder, 0o777 & ~process.umask());
}

function removeEmptyFolders(disk: Disk, path: string, kept: readonly string[]): void {
  for (let at = path; !isAtOrAbove(at, kept); at = dirname(at)) {
    // A link to a folder is somebody's own.
    if (disk.stat(at)?.kind !== 'folder' || disk.list(at)?.length !== 0) return;
    disk.remove(at);
  }
}

function isAtOrAbove(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => folder === path || folder.startsWith(path === '/' ? path : `${path}/`));
}

function modeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mode;
}

/** Some file systems have no modes, and one that is only simulated has none either. */
function setMode(path: string, mode: number | undefined): void {
  if (mode !== undefined) quietly(() => chmodSync(path, mode & 0o777));
}

function quietly(action: () => void): void {
  try {
    action();
  } catch {
    // What was to be done matters less than what comes next.
  }
}
