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
