import type { Disk, FileStat } from '../../disk/disk.ts';
import type { Reader } from '../../pipeline/loaded.ts';
import { isStamped, type Stamp, stampOf } from './stamp.ts';

/**
 * Every file that a manifest was made from, and what stood for it just before it was read: while all of them are the
 * same, the manifest says the same.
 */
export class Sightings {
  /** By path in the workspace; undefined: there was no such file. */
  readonly files = new Map<string, Stamp | undefined>();
  /** Paths, or the fixed parts of such, that lead to places in the workspace. */
  readonly inside = new Set<string>();
  #isWhole = true;

  /** False: something was looked at that no stamp stands for, or that changed while it was looked at. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  note(path: string, stat: FileStat | undefined): void {
    const isPlain = stat === undefined || stat.kind === 'file';
    if (!isPlain || (this.files.has(path) && !isSame(this.files.get(path), stat))) this.#isWhole = false;
    else this.files.set(path, stat && stampOf(stat));
  }

  noteUnstamped(): void {
    this.#isWhole = false;
  }
}

/** A reader whose reading is noted. The stamp comes first: whoever writes in between makes it untrue. */
export function notedReader(disk: Disk, root: string, reader: Reader, sightings: Sightings): Reader {
  return {
    read(path, maxBytes) {
      sightings.note(path, disk.stat(`${root}/${path}`));
      return reader.read(path, maxBytes);
    },
    glob(pattern) {
      sightings.noteUnstamped();
      return reader.glob(pattern);
    },
    escapes(path) {
      sightings.inside.add(path);
      return reader.escapes(path);
    },
    follow(path) {
      const target = reader.follow(path);
      noteTarget(disk, root, path, target, sightings);
      return target;
    },
  };
}

/** A file is noted when it is read. Of what is no file only that there is nothing; and links are not noted at all. */
function noteTarget(
  disk: Disk,
  root: string,
  path: string,
  target: ReturnType<Reader['follow']>,
  sightings: Sightings,
): void {
  const isAbsolute = path.startsWith('/');
  if (target === 'none') {
    if (!isAbsolute && !isThere(disk, `${root}/${path}`)) sightings.note(path, undefined);
  } else if (target === 'outside' ? !isAbsolute : target.file !== path) sightings.noteUnstamped();
}

function isThere(disk: Disk, path: string): boolean {
  try {
    return disk.stat(path) !== undefined;
  } catch {
    // A path that cannot be looked at is no file of ours.
    return true;
  }
}

function isSame(known: Stamp | undefined, stat: FileStat | undefined): boolean {
  return known === undefined ? stat === undefined : isStamped(stat, known);
}
