import { dirname } from 'node:path';
import { ok, type Result } from '../../../base/result.ts';
import type { Disk, FileStat } from '../../../disk/disk.ts';
import { removeTree } from '../../../disk/remove.ts';
import { isLinkUnsupported, isTempName, makeFolderDurable } from '../../../disk/write.ts';
import type { Failure } from '../../../model/failure.ts';
import type { UnusedContent } from '../../../store/content.ts';
import { asFailure } from '../../open/hold.ts';
import { forgetJournalEnd } from '../../open/journal-end.ts';
import { openRunJournal, runnerActor } from '../../open/run-files.ts';
import { runPointers, runsFolder } from '../../open/run-places.ts';
import { objectsFolder } from '../../open/workspace.ts';
import type { KnownRun } from './choice.ts';
import type { CollectedFile, DoomedFile, RunFiles } from './files.ts';
import type { LeftFile } from './gc-answer.ts';
import { type GcScope, isRunInPlace } from './ground.ts';
import { type Keep, markEvents } from './history.ts';

/**
 * Removes the files of a run, or all of them that are not to be kept. The order protects: it is marked first, so that a
 * crash never leaves a run that looks whole; its journal stays, because only that knows which files were its own.
 * Returns what had changed in the meantime and so was left.
 */
export async function removeRunFiles(
  ground: GcScope,
  run: KnownRun,
  keep: Keep,
  { files, moves }: RunFiles,
): Promise<Result<readonly LeftFile[], Failure>> {
  const marked = run.mark === keep ? ok(undefined) : await mark(ground, run, keep);
  if (!marked.ok) return marked;
  const left = removeFiles(ground, files);
  await moveKept(ground, moves);
  tidyFolders(ground, run, files);
  await syncFolders(ground, run, files);
  return ok(left);
}

/** Removes what is left of a run whose files are gone: its journal at once, and then its folder. */
export async function removeRunJournal(ground: GcScope, { opened: { folder } }: KnownRun): Promise<void> {
  await removeJournal(ground, folder);
  await removeRemains(ground, folder);
}

/** Removes folders in which nothing is left: also those that a crash has kept an earlier collection from removing. */
export function tidyFolders(ground: GcScope, run: KnownRun, files: readonly DoomedFile[] = []): void {
  removeEmptyFolders(ground.env.disk, `${ground.root}/${run.opened.folder}`);
  removeEmptyAbove(ground, [...placesOf(run, files)]);
}

/** Where something of the run lies, or lay before a collection that was cut short. */
function* placesOf(run: KnownRun, files: readonly DoomedFile[]): Generator<string> {
  for (const { path } of files) yield path;
  yield* run.made.keys();
}

/** What a removal that was cut short has left where it no longer says what it was. */
export function remainsIn(ground: GcScope): {
  readonly folders: readonly string[];
  readonly pointers: readonly string[];
} {
  const { env, root, runs } = ground;
  const { disk } = env;
  const folders = runs
    .filter(({ ledger, findings }) => ledger.run === undefined && findings.length === 0)
    .map(({ folder }) => folder)
    .filter((folder) => isRunInPlace(ground, folder) && !openRunJournal(env, root, folder).exists());
  const pointers = runPointers(env, root).filter(
    ({ folder }) => disk.stat(`${root}/${folder}`) === undefined,
  );
  return { folders, pointers: pointers.map(({ path }) => path) };
}

/** Removes them. */
export async function removeRemains(ground: GcScope, folder: string): Promise<void> {
  const { env, root } = ground;
  const { disk } = env;
  for (const name of disk.list(`${root}/${folder}`) ?? [])
    if (isTempName(name)) removeTree(disk, `${root}/${folder}/${name}`);
  if (removeEmptyFolders(disk, `${root}/${folder}`)) removeEmptyAbove(ground, [folder]);
  // The pointer leads to what is left of the run, so it goes only when that is gone for good.
  await disk.syncFolder(`${root}/${standing(ground, folder)}`);
  for (const pointer of runPointers(env, root))
    if (pointer.folder === folder) disk.remove(`${root}/${pointer.path}`);
}

/** Removes them, and the store's folders in which nothing is left. */
export function removeObjects({ env, root }: GcScope, files: readonly UnusedContent[]): void {
  const { disk } = env;
  for (const { path } of files) disk.remove(path);
  for (const name of disk.list(`${root}/${objectsFolder}`) ?? []) {
    const folder = `${root}/${objectsFolder}/${name}`;
    if (disk.stat(folder)?.kind === 'folder' && disk.list(folder)?.length === 0) disk.remove(folder);
  }
}

async function mark(
  { env, root }: GcScope,
  { opened }: KnownRun,
  keep: Keep,
): Promise<Result<undefined, Failure>> {
  const claimed = await openRunJournal(env, root, opened.folder).claim({
    actor: runnerActor,
    durable: true,
    run: opened.id,
    takeover: false,
    from: opened.heads,
  });
  if (!claimed.ok) return claimed;
  const { writer } = claimed.value;
  try {
    await writer.append(markEvents(keep));
    await writer.close();
    return ok(undefined);
  } catch (error) {
    await writer.close().catch(() => undefined);
    return { ok: false, failure: asFailure(opened.id, error) };
  }
}

/** Only what still looks as it did when it was decided on. */
function removeFiles({ env, root }: GcScope, files: readonly DoomedFile[]): LeftFile[] {
  const left: LeftFile[] = [];
  for (const { path, stat } of files) {
    const now = env.disk.stat(`${root}/${path}`);
    if (now === undefined) continue;
    if (isSame(now, stat)) env.disk.remove(`${root}/${path}`);
    else left.push({ path, reason: 'edited' });
  }
  return left;
}

/**
 * Before the journal goes, because a collection that was cut short finds them by it. The old name goes only when the new
 * one is durable: a power cut in the middle of a rename could lose the only copy.
 */
async function moveKept({ env, root }: GcScope, moves: readonly CollectedFile[]): Promise<void> {
  const { disk } = env;
  const targets = new Set<string>();
  const moved: string[] = [];
  for (const { path, to } of moves) {
    const stat = disk.stat(`${root}/${path}`);
    if (stat === undefined) continue;
    const target = `${root}/${dirname(to)}`;
    await makeFolderDurable(disk, target);
    targets.add(target);
    const there = disk.stat(`${root}/${to}`);
    // A collection that was cut short has left the file at both places.
    if (there !== undefined && isSame(there, stat)) moved.push(path);
    else if (linkOrRename(disk, `${root}/${path}`, freeName(disk, `${root}/${to}`)) === 'linked')
      moved.push(path);
  }
  for (const folder of targets) await disk.syncFolder(folder);
  for (const path of moved) disk.remove(`${root}/${path}`);
  for (const folder of new Set(moves.map(({ path }) => `${root}/${dirname(path)}`)))
    if (disk.stat(folder) !== undefined) await disk.syncFolder(folder);
}

function freeName(disk: Disk, path: string): string {
  let free = path;
  for (let count = 1; disk.stat(free) !== undefined; count++) free = `${path}.${count}`;
  return free;
}

/** Links, and renames only what cannot be linked. */
function linkOrRename(disk: Disk, from: string, to: string): 'linked' | 'renamed' {
  try {
    // Some systems would link what a symbolic link points to.
    if (disk.stat(from)?.kind !== 'file') {
      disk.rename(from, to);
      return 'renamed';
    }
    disk.link(from, to);
    return 'linked';
  } catch (error) {
    if (!isLinkUnsupported(error)) throw error;
    disk.rename(from, to);
    return 'renamed';
  }
}

function isSame(a: FileStat, b: FileStat): boolean {
  return a.kind === b.kind && a.ino === b.ino && a.mtimeMs === b.mtimeMs && a.size === b.size;
}

/** Whole or not at all: a journal of which a part is gone would be a damaged run for ever. */
export async function removeJournal(
  { env, root }: Pick<GcScope, 'env' | 'root'>,
  folder: string,
): Promise<void> {
  const journal = openRunJournal(env, root, folder);
  if (!journal.exists()) return;
  // Before the journal, because only that says whose head it is.
  await forgetJournalEnd(env, root, folder);
  await journal.maintenance.remove();
}

/** Removes every folder in which there is nothing but such folders. True: the folder itself is gone. */
export function removeEmptyFolders(disk: Disk, folder: string): boolean {
  let isEmpty = true;
  for (const name of disk.list(folder) ?? []) {
    const path = `${folder}/${name}`;
    if (disk.stat(path)?.kind !== 'folder' || !removeEmptyFolders(disk, path)) isEmpty = false;
  }
  if (isEmpty) disk.remove(folder);
  return isEmpty;
}

/** Folders that held what was removed, and those that held only these; never the workspace or Pawl's own. */
function removeEmptyAbove({ env, root }: GcScope, paths: readonly string[]): void {
  const folders = new Set<string>();
  for (const path of paths)
    for (let folder = dirname(path); folder !== '.' && !folders.has(folder); folder = dirname(folder))
      folders.add(folder);
  // What lies in a folder has a longer path, and so comes before it.
  for (const folder of [...folders].sort((a, b) => b.length - a.length)) {
    if (folder === '.pawl' || folder === runsFolder) continue;
    if (env.disk.list(`${root}/${folder}`)?.length === 0) env.disk.remove(`${root}/${folder}`);
  }
}

/** What was removed stays so before the journal that knows of it goes: else nobody would ever find it again. */
async function syncFolders(ground: GcScope, run: KnownRun, files: readonly DoomedFile[]): Promise<void> {
  const folders = new Map<string, string>();
  for (const path of placesOf(run, files)) {
    const folder = dirname(path);
    if (!folders.has(folder)) folders.set(folder, standing(ground, folder));
  }
  for (const folder of new Set(folders.values()))
    await ground.env.disk.syncFolder(`${ground.root}/${folder}`);
}

/** The folder, or the nearest one above it that is there. */
function standing({ env, root }: GcScope, folder: string): string {
  let at = folder;
  while (at !== '.' && env.disk.stat(`${root}/${at}`) === undefined) at = dirname(at);
  return at;
}
