import type { FileStat } from '../../disk/disk.ts';

/** What stands for a file's bytes while nobody has touched it. */
export interface Stamp {
  readonly size: number;
  readonly mtime: number;
  readonly ino: number;
}

export function stampOf({ size, mtimeMs, ino }: FileStat): Stamp {
  return { size, mtime: mtimeMs, ino };
}

export function isStamped(stat: FileStat | undefined, { size, mtime, ino }: Stamp): boolean {
  return stat?.kind === 'file' && stat.ino === ino && stat.mtimeMs === mtime && stat.size === size;
}
