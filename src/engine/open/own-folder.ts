import { fail, ok, type Result } from '../../base/result.ts';
import { type Disk, DiskError } from '../../disk/disk.ts';
import { replaceFileNow } from '../../disk/write.ts';
import type { Failure } from '../../model/failure.ts';
import { keptFolder, runFile } from '../../model/run-folder.ts';
import { findRun } from './find-run.ts';
import { findLinkOutside, type LinkOutside } from './leads-outside.ts';
import { type OpenedRun, unacceptedDamage } from './open-run.ts';
import type { Target } from './requests.ts';
import { runsFolder } from './run-places.ts';
import type { Workspace } from './workspace.ts';

/** To be called before anything is written below `.pawl` or in a run's folder. */
export function openOwnFolder(disk: Disk, root: string, runFolder?: string): Result<undefined, Failure> {
  const inside = refuseOwnLinkOutside(disk, root, runFolder);
  if (inside.ok) makeOwnFolder(disk, root);
  return inside;
}

function refuseOwnLinkOutside(disk: Disk, root: string, runFolder?: string): Result<undefined, Failure> {
  const link = findOwnLinkOutside(disk, root, runFolder);
  return link === undefined ? ok(undefined) : fail({ reason: 'link-outside', ...link });
}

/**
 * The run that is resumed; undefined: a new one. Where none is found, or a damaged one, a link out of the workspace is
 * refused first, because a run behind it would be paid for again. A whole run is asked about when it is written into.
 */
export function findRunInside(
  workspace: Workspace,
  request: Target & { readonly fresh?: boolean | undefined },
): Result<OpenedRun | undefined, Failure> {
  const found = request.fresh ? ok(undefined) : findRun(workspace, request);
  if (found.ok && found.value !== undefined && unacceptedDamage(found.value).length === 0) return found;
  const seen = found.ok ? found : findRun(workspace, request, { evenDamaged: 'first' });
  const folder = seen.ok ? seen.value?.folder : undefined;
  const inside = refuseOwnLinkOutside(workspace.env.disk, workspace.root, folder);
  return inside.ok ? found : inside;
}

/**
 * Makes Pawl's own folder before anything is written in it, with a list that keeps git away from prompts and answers.
 * A list that the user has changed is left alone; an empty one is what a power cut leaves of ours. No run needs it: one
 * that cannot be written is written by the next command.
 */
export function makeOwnFolder(disk: Disk, root: string): void {
  const folder = `${root}/${keptFolder}`;
  const list = `${folder}/.gitignore`;
  const stat = disk.stat(list);
  if (stat !== undefined && (stat.kind !== 'file' || stat.size > 0)) return;
  disk.makeFolder(folder);
  try {
    replaceFileNow(disk, list, new TextEncoder().encode('*\n'));
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
  }
}

/**
 * A link out of the workspace in the place of one of Pawl's own folders, or of a folder of this run: what is written
 * through it would be found by nobody who looks here. Undefined: there is none.
 */
export function findOwnLinkOutside(disk: Disk, root: string, runFolder?: string): LinkOutside | undefined {
  const ofRun = runFolder === undefined ? [] : [runFolder, runFile(runFolder, 'events')];
  for (const folder of [keptFolder, runsFolder, ...ofRun]) {
    const above = findLinkOutside(disk, root, folder);
    if (above !== undefined) return above;
    for (const name of disk.list(`${root}/${folder}`) ?? []) {
      const path = `${folder}/${name}`;
      if (disk.stat(`${root}/${path}`)?.kind !== 'link') continue;
      const link = findLinkOutside(disk, root, path);
      if (link !== undefined) return link;
    }
  }
  return undefined;
}
