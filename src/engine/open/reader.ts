import { relative, sep } from 'node:path';
import { globMatcher } from '../../base/glob.ts';
import { byCodeUnit } from '../../base/json.ts';
import { type Disk, DiskError } from '../../disk/disk.ts';
import type { Reader } from '../../pipeline/loaded.ts';
import { leadsOutside } from './leads-outside.ts';

const filesMax = 1_000_000;

/** The workspace as the pipeline room may see it: looking only, never outside. */
export function workspaceReader(disk: Disk, root: string): Reader {
  return {
    read(path, maxBytes) {
      try {
        return disk.read(`${root}/${path}`, maxBytes);
      } catch (error) {
        if (error instanceof DiskError && error.code === 'EFBIG') return 'too-large';
        throw error;
      }
    },
    glob: (pattern) => findFiles(disk, root, pattern),
    escapes: (path) => leadsOutside(disk, root, path),
    follow: (path) => followPath(disk, root, path),
  };
}

function followPath(disk: Disk, root: string, path: string): ReturnType<Reader['follow']> {
  try {
    const real = disk.realpath(path.startsWith('/') ? path : `${root}/${path}`);
    if (real === undefined || disk.stat(real)?.kind !== 'file') return 'none';
    const inside = relative(disk.realpath(root) ?? root, real).split(sep);
    return inside[0] === '..' ? 'outside' : { file: inside.join('/') };
  } catch (error) {
    // A word of a command may be anything: a name that is too long, or a path through a folder that is not ours.
    if (error instanceof DiskError) return 'none';
    throw error;
  }
}

function findFiles(disk: Disk, root: string, pattern: string): string[] {
  const matches = globMatcher(pattern);
  const found: string[] = [];
  // The part before the first wildcard is a folder: nothing above it has to be looked at.
  const fixed = pattern.slice(0, Math.max(0, pattern.search(/[*?]/)));
  const waiting = [fixed.slice(0, Math.max(0, fixed.lastIndexOf('/')))];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const name of disk.list(folder === '' ? root : `${root}/${folder}`) ?? []) {
      if (name === '.git' || name === '.pawl' || name === 'node_modules') continue;
      const path = folder === '' ? name : `${folder}/${name}`;
      const kind = disk.stat(`${root}/${path}`)?.kind;
      if (kind === 'folder' && (pattern.includes('**') || path.split('/').length < pattern.split('/').length))
        waiting.push(path);
      if (kind === 'file' && matches(path)) found.push(path);
      if (found.length > filesMax) throw new Error(`more than ${filesMax} files match ${pattern}`);
    }
  }
  return found.sort(byCodeUnit);
}
