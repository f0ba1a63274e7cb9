import { dirname, relative, sep } from 'node:path';
import type { Disk } from '../../disk/disk.ts';

/** Whether a path leads out of the workspace through a link. Follows the longest part of it that exists. */
export function leadsOutside(disk: Disk, root: string, path: string): boolean {
  const realRoot = disk.realpath(root);
  if (realRoot === undefined) return false;
  for (let at = `${root}/${path}`; at.length >= root.length; at = dirname(at)) {
    const real = disk.realpath(at);
    if (real !== undefined) return relative(realRoot, real).split(sep)[0] === '..';
    if (disk.stat(at)?.kind === 'link') return true;
  }
  return false;
}

/** A symbolic link that leads out of the workspace. */
export interface LinkOutside {
  /** Relative to the workspace. */
  readonly path: string;
  /** Absolute; undefined: it leads to where nothing is. */
  readonly target: string | undefined;
}

/** The first link on the way to a path, or at its end, that leads out of the workspace. */
export function findLinkOutside(disk: Disk, root: string, path: string): LinkOutside | undefined {
  if (!leadsOutside(disk, root, path)) return undefined;
  const parts = path.split('/');
  for (let count = 1; count <= parts.length; count++) {
    const part = parts.slice(0, count).join('/');
    if (disk.stat(`${root}/${part}`)?.kind === 'link' && leadsOutside(disk, root, part))
      return { path: part, target: disk.realpath(`${root}/${part}`) };
  }
  return undefined;
}
