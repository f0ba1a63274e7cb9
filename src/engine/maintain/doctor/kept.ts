import type { Disk } from '../../../disk/disk.ts';
import { isUnreadable } from '../../../disk/unreadable.ts';
import { isTempName } from '../../../disk/write.ts';
import { keptFolder } from '../../../model/run-folder.ts';
import type { OpenedRun } from '../../open/open-run.ts';
import { type DoctorFinding, good, warning } from './finding.ts';
import type { Site } from './ground.ts';

const bytesMax = 1024 ** 3;
/** Beyond these nothing is counted: a person waits for the answer. */
const filesMax = 200_000;
const pathsMax = 3;

/** What Pawl keeps in the workspace: how much that is, and what processes that died have left on its way. */
export function checkKept({ env, root }: Site, runs: readonly OpenedRun[]): DoctorFinding[] {
  const outside = runs.map(({ folder }) => folder).filter((folder) => !folder.startsWith(`${keptFolder}/`));
  const attempts = runs.map(({ folder }) => `${folder}/attempts/`);
  const staging = runs.filter(({ status }) => status !== 'running').map(({ folder }) => `${folder}/staging/`);
  // A process that lives is in the middle of something.
  const isQuiet = runs.every(({ status }) => status !== 'running');
  const size = { bytes: 0, attemptBytes: 0, bytesMax, isPartial: false };
  const left = { files: 0, bytes: 0, paths: [] as string[] };
  const own = ownFolders(outside);
  let files = 0;
  for (const { path, bytes } of filesBelow(env.disk, root, own)) {
    files += 1;
    if (files > filesMax) {
      size.isPartial = true;
      break;
    }
    size.bytes += bytes;
    if (attempts.some((folder) => path.startsWith(folder))) size.attemptBytes += bytes;
    const isStaged = staging.some((folder) => path.startsWith(folder));
    if (!isStaged && !(isQuiet && path.split('/').some(isTempName))) continue;
    left.files += 1;
    left.bytes += bytes;
    if (left.paths.length < pathsMax) left.paths.push(path);
  }
  if (files === 0) return [];
  return [
    size.bytes > bytesMax ? warning('kept-size', size) : good('kept-size', size),
    ...(left.files > 0 ? [warning('leftover-file', left)] : []),
  ];
}

/** Of a run that lies among its outputs only what is Pawl's. */
function ownFolders(outside: readonly string[]): string[] {
  return [
    keptFolder,
    ...outside.flatMap((folder) => ['attempts', 'events', 'staging'].map((name) => `${folder}/${name}`)),
  ];
}

/** Files with their sizes, paths relative to the root; links are not followed, and what may not be read is left out. */
function* filesBelow(
  disk: Disk,
  root: string,
  folders: readonly string[],
): Generator<{ readonly path: string; readonly bytes: number }> {
  const waiting = [...folders];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const name of namesIn(disk, `${root}/${folder}`)) {
      const path = `${folder}/${name}`;
      const stat = disk.stat(`${root}/${path}`);
      if (stat?.kind === 'folder') waiting.push(path);
      else if (stat !== undefined) yield { path, bytes: stat.size };
    }
  }
}

function namesIn(disk: Disk, folder: string): readonly string[] {
  try {
    return disk.list(folder) ?? [];
  } catch (error) {
    if (isUnreadable(error)) return [];
    throw error;
  }
}
