import { hashFile } from '../../artifacts/hash-file.ts';
import type { JsonObject } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { type Disk, DiskError } from '../../disk/disk.ts';
import { replaceFile } from '../../disk/write.ts';
import type { Failure } from '../../model/failure.ts';
import { pathsOf, projectionsOf } from '../../pipeline/projections.ts';
import { briefPointer } from '../../runner/brief/state-file.ts';
import { record } from '../../runner/context.ts';
import type { ResetAnswer } from '../answers.ts';
import type { Environment } from '../environment.ts';
import { enter } from '../open/enter.ts';
import { findRun } from '../open/find-run.ts';
import { dropHead } from '../open/head.ts';
import type { OpenedRun } from '../open/open-run.ts';
import { runPointers } from '../open/run-places.ts';
import { openWorkspace, type Workspace } from '../open/workspace.ts';
import type { Target } from '../requests.ts';
import { takeHold, whileHeld } from '../run/hold.ts';

/**
 * Puts a run away, with the files that it made, so that the next one starts fresh and this one is never resumed by
 * mistake. Everything is copied, the copies are compared with what is there, and only then anything is removed.
 */
export async function resetRuns(env: Environment, target: Target): Promise<Result<ResetAnswer, Failure>> {
  const workspace = await openWorkspace(env, target);
  if (!workspace.ok) return workspace;
  const found = findRun(workspace.value, target, { evenDamaged: true });
  if (!found.ok) return found;
  if (found.value === undefined) return ok({ archived: [] });
  const placed = await enter(workspace.value, found.value);
  const opened = found.value;
  const hold = await takeHold(placed, opened, { takeover: false });
  if (!hold.ok) return hold;
  const archived = await whileHeld(placed, hold.value, async () => {
    await record(hold.value, { type: 'run_ended', status: 'cancelled' });
    return ok(undefined);
  });
  if (!archived.ok) return archived;
  return await archive(placed, opened);
}

async function archive(workspace: Workspace, opened: OpenedRun): Promise<Result<ResetAnswer, Failure>> {
  const { disk } = workspace.env;
  const { root } = workspace;
  const to = `.pawl/archive/${opened.id}`;
  const copied: { path: string; hash: string; size: number }[] = [];
  for (const path of madeFiles(workspace, opened)) {
    const copy = await copyFile(disk, `${root}/${path}`, `${root}/${to}/files/${path}`);
    if (copy === undefined)
      return fail({ reason: 'archive-failed', path, detail: 'it changed while it was copied' });
    copied.push({ path, ...copy });
  }
  const manifest: JsonObject = {
    run: opened.id,
    pipeline: opened.ledger.run?.pipeline ?? '',
    identity: opened.ledger.run?.identity ?? {},
    files: copied,
  };
  await replaceFile(
    disk,
    `${root}/${to}/manifest.json`,
    Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`),
    { durable: true },
  );
  // The list is on disk and every copy is proven: only now may the originals go.
  for (const { path, hash } of copied) {
    if (hashFile(disk, `${root}/${to}/files/${path}`)?.hash !== hash)
      return fail({ reason: 'archive-failed', path, detail: 'the copy differs' });
  }
  for (const { path } of copied) disk.remove(`${root}/${path}`);
  // A later run may lie in a folder of the same name, and its journal will be shorter.
  await dropHead(workspace.env, root, opened.folder);
  removeEmptyFolders(disk, `${root}/${opened.folder}`);
  for (const pointer of runPointers(workspace.env, root))
    if (pointer.folder === opened.folder) disk.remove(`${root}/${pointer.path}`);
  const brief = briefPointer(disk, root, opened.folder);
  if (brief !== undefined) disk.remove(`${root}/${brief}`);
  return ok({ archived: [{ run: opened.id, to, files: copied.length }] });
}

/**
 * All that the run made and that is still there, but for what it only wrote into: a log of all runs, and a file of
 * somebody's with the brief in it.
 */
function madeFiles({ env, root, loaded }: Workspace, { ledger, folder }: OpenedRun): string[] {
  const { disk } = env;
  const paths = new Set(filesBelow(disk, root, folder));
  const add = (path: string) => {
    if (disk.stat(`${root}/${path}`)?.kind === 'file') paths.add(path);
  };
  for (const cell of ledger.cells.values())
    for (const { path } of Object.values(cell.placed ?? {})) add(path);
  for (const projection of projectionsOf(loaded.pipeline, folder))
    if (projection.writing === 'replaced')
      for (const path of pathsOf(projection, loaded.pipeline.stages)) add(path);
  return [...paths];
}

function filesBelow(disk: Disk, root: string, folder: string): string[] {
  const found: string[] = [];
  for (const name of disk.list(`${root}/${folder}`) ?? []) {
    const path = `${folder}/${name}`;
    const kind = disk.stat(`${root}/${path}`)?.kind;
    if (kind === 'folder') found.push(...filesBelow(disk, root, path));
    else if (kind === 'file') found.push(path);
  }
  return found;
}

async function copyFile(
  disk: Disk,
  from: string,
  to: string,
): Promise<{ hash: string; size: number } | undefined> {
  const before = hashFile(disk, from);
  const bytes = disk.read(from);
  if (before === undefined || bytes === undefined) return undefined;
  disk.makeFolder(to.slice(0, to.lastIndexOf('/')));
  await replaceFile(disk, to, bytes, { durable: true });
  return hashFile(disk, to)?.hash === before.hash ? before : undefined;
}

function removeEmptyFolders(disk: Disk, folder: string): void {
  for (const name of disk.list(folder) ?? [])
    if (disk.stat(`${folder}/${name}`)?.kind === 'folder') removeEmptyFolders(disk, `${folder}/${name}`);
  try {
    disk.remove(folder);
  } catch (error) {
    // Something that is not a file or folder of ours lies there: it stays.
    if (!(error instanceof DiskError)) throw error;
  }
}
