import { dirname } from 'node:path';
import { type Hash, hashBytes } from '../../base/hash.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../base/json.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { Disk } from '../../disk/disk.ts';
import { hashFile } from '../../disk/hash-file.ts';
import { removeLeftover } from '../../disk/remove.ts';
import { replaceFile } from '../../disk/write.ts';
import type { Failure } from '../../model/failure.ts';
import type { OpenedRun } from '../open/open-run.ts';
import type { ResetLeft } from './reset-answer.ts';

/** A file in an archive, under the path that it had. */
export interface Kept {
  readonly hash: Hash;
  readonly size: number;
}

/** What is in the archive of a run, by path. */
export type Copies = Map<string, Kept>;

export const archiveOf = (run: string) => `.pawl/archive/${run}`;
export const manifestPath = (run: string) => `${archiveOf(run)}/manifest.json`;
const copyOf = (run: string, path: string) => `${archiveOf(run)}/files/${path}`;

/**
 * Copies what is not in the archive yet as it is now. An output that is another one by now than the one in the archive
 * was put there by somebody else since, and is given back.
 */
export async function copyFiles(
  disk: Disk,
  root: string,
  run: string,
  { paths, outputs }: { readonly paths: readonly string[]; readonly outputs: ReadonlySet<string> },
  copies: Copies,
): Promise<ResetLeft[]> {
  const left: ResetLeft[] = [];
  for (const path of paths) {
    const known = copies.get(path);
    if (known !== undefined && hashFile(disk, `${root}/${path}`)?.hash === known.hash) continue;
    if (known !== undefined && outputs.has(path)) {
      left.push({ path, reason: 'changed' });
      continue;
    }
    const bytes = disk.read(`${root}/${path}`);
    if (bytes === undefined) continue;
    const copy = `${root}/${copyOf(run, path)}`;
    disk.makeFolder(dirname(copy));
    await replaceFile(disk, copy, bytes, { durable: true });
    copies.set(path, { hash: hashBytes(bytes), size: bytes.length });
  }
  return left;
}

/** Writes down what is in the archive, and proves it: only then may an original go. */
export async function sealArchive(
  disk: Disk,
  root: string,
  { id, ledger }: OpenedRun,
  copies: Copies,
): Promise<Result<undefined, Failure>> {
  const files = [...copies].map(([path, { hash, size }]) => ({ path, hash, size }));
  for (const { path, hash } of files) {
    if (hashFile(disk, `${root}/${copyOf(id, path)}`)?.hash !== hash)
      return fail({ reason: 'archive-failed', path, detail: 'the copy differs' });
  }
  const { pipeline = '', identity = {} } = ledger.run ?? {};
  const manifest: JsonObject = { run: id, pipeline, identity, files };
  const bytes = new TextEncoder().encode(`${JSON.stringify(manifest, null, 2)}\n`);
  disk.makeFolder(`${root}/${archiveOf(id)}`);
  await replaceFile(disk, `${root}/${manifestPath(id)}`, bytes, { durable: true });
  // A folder that was made for a copy goes with the power as a file does.
  const folders = new Set<string>();
  for (const path of [manifestPath(id), ...files.map(({ path: name }) => copyOf(id, name))])
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder);
  for (const folder of folders) await disk.syncFolder(`${root}/${folder}`);
  await disk.syncFolder(root);
  return ok(undefined);
}

/** What an earlier reset has put away of a run; copies that are not whole are none. */
export function readCopies(disk: Disk, root: string, run: string): Copies {
  const copies: Copies = new Map();
  const bytes = disk.read(`${root}/${manifestPath(run)}`);
  const manifest = bytes && parseJson(new TextDecoder().decode(bytes));
  const files = isJsonObject(manifest) && Array.isArray(manifest.files) ? manifest.files : [];
  for (const file of files) {
    if (!isJsonObject(file) || typeof file.path !== 'string') continue;
    const found = hashFile(disk, `${root}/${copyOf(run, file.path)}`);
    if (found !== undefined && found.hash === file.hash) copies.set(file.path, found);
  }
  return copies;
}

/** Removes the originals that are still as they are in the archive; gives back those that are not. */
export async function removeOriginals(
  disk: Disk,
  root: string,
  paths: readonly string[],
  copies: Copies,
): Promise<ResetLeft[]> {
  const left: ResetLeft[] = [];
  const folders = new Set<string>();
  for (const path of paths) {
    const now = hashFile(disk, `${root}/${path}`);
    if (now === undefined) continue;
    if (now.hash === copies.get(path)?.hash) {
      disk.remove(`${root}/${path}`);
      folders.add(dirname(path));
    } else left.push({ path, reason: 'changed' });
  }
  for (const folder of folders) await disk.syncFolder(`${root}/${folder}`);
  return left;
}

/** After a reset that came to nothing: what it copied only takes up room. */
export function dropArchive(disk: Disk, root: string, run: string): void {
  removeLeftover(disk, `${root}/${archiveOf(run)}`);
}
