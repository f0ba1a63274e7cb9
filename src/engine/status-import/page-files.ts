import { dirname } from 'node:path';
import type { Hash } from '../../base/hash.ts';
import { hashFile } from '../../disk/hash-file.ts';
import type { ReadHash } from '../../import/status-page/read.ts';
import type { ReadCompleted } from '../../import/status-page/read-page.ts';
import type { Workspace } from '../open/workspace.ts';
import type { FoundPage } from './pages.ts';

/* Files that a page names, held against those that are there. Paths on a page may begin at the page's own folder. */

/** Whether the path on the page means this file of the workspace. */
function isSamePath({ path }: FoundPage, listed: string, actual: string): boolean {
  return placesOf(path, listed).includes(actual);
}

/** The bytes of a file that the page names; undefined: it is missing. */
export function listedHash(workspace: Workspace, page: FoundPage, listed: string): Hash | undefined {
  for (const place of placesOf(page.path, listed)) {
    const hash = hashAt(workspace, place);
    if (hash !== undefined) return hash;
  }
  return undefined;
}

/** Undefined: there is no such file. */
export function hashAt({ env, root }: Workspace, path: string): Hash | undefined {
  return env.disk.stat(`${root}/${path}`)?.kind === 'file'
    ? hashFile(env.disk, `${root}/${path}`)?.hash
    : undefined;
}

/** Rows of a phase, and what the page says of one of its files. */
export function rowOf(found: FoundPage, phase: string, path: string): ReadCompleted | undefined {
  return found.page.completed.find(
    ({ stage, artifact }) =>
      stage === phase && artifact !== undefined && isSamePath(found, artifact.path, path),
  );
}

/** Whether the bytes can be those that the page means: a shortened hash fits many. */
export function fits(recorded: ReadHash, actual: Hash): boolean {
  if (recorded.kind === 'full') return recorded.hash === actual;
  const digits = actual.slice('sha256:'.length);
  const [start = '', end = ''] = recorded.text
    .toLowerCase()
    .replace(/^sha-?256:/, '')
    .split(/[.…*]+/);
  return digits.startsWith(start) && digits.endsWith(end);
}

function placesOf(page: string, listed: string): string[] {
  const plain = listed.replace(/^\.\//, '');
  return [plain, `${dirname(page)}/${plain}`];
}
