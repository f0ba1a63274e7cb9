import { type Hash, hashBytes } from '../../../base/hash.ts';
import type { Disk } from '../../../disk/disk.ts';
import type { Positions } from '../../../journal/position.ts';
import { listSegments } from '../../../journal/segment.ts';
import type { Environment } from '../../environment.ts';
import { leadsOutside } from '../../open/leads-outside.ts';
import { programName } from '../../program.ts';
import { isStamped } from '../../settled/stamp.ts';
import type { FileRow, Premises, Standing } from './file.ts';

/** Whether everything that a plan was made from, but for the journal and the time, is as it was. */
export function holdPremises({ disk, host }: Environment, root: string, premises: Premises): boolean {
  const { program, boot, files, folders, inside } = premises;
  return (
    program === programName() &&
    boot === host.self.boot &&
    files.every((row) => isAsRemembered(disk, root, row)) &&
    folders.every(([path, names]) => namesHash(disk.list(inRoot(root, path))) === names) &&
    !inside.some((path) => leadsOutside(disk, root, path))
  );
}

/** Whether nobody but `except` has written since: no actor's journal goes on, and there is no other actor. */
export function isAtEnd(disk: Disk, eventsFolder: string, heads: Positions, except?: string): boolean {
  const names = (disk.list(eventsFolder) ?? []).filter((name) => name !== except);
  if (names.length !== heads.size) return false;
  for (const name of names) {
    const head = heads.get(name);
    const newest = listSegments(disk, `${eventsFolder}/${name}`).at(-1);
    if (head === undefined || newest?.epoch !== head.epoch) return false;
    if (disk.stat(newest.path)?.size !== head.length) return false;
  }
  return true;
}

/** Whether every lease that was live is so still, by a clock that has not gone back. */
export function areLeasesSame({ at, claims }: Standing, now: string): boolean {
  return now >= at && claims.every(({ until }) => until > at === until > now);
}

/** One hash for the names in a folder; null: there is no such folder. */
export function namesHash(names: readonly string[] | undefined): Hash | null {
  return names === undefined ? null : hashBytes(names.join('/'));
}

export function inRoot(root: string, path: string): string {
  return path === '' ? root : `${root}/${path}`;
}

function isAsRemembered(disk: Disk, root: string, [path, size, mtime, ino, ctime]: FileRow): boolean {
  const stat = disk.stat(inRoot(root, path));
  if (size === undefined || mtime === undefined || ino === undefined) return stat === undefined;
  return isStamped(stat, { size, mtime, ino }) && (ctime === undefined || stat?.ctimeMs === ctime);
}
