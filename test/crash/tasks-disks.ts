import type { Disk, OpenFile } from '../../src/disk/disk.ts';

/** The same disk with other files: a disk is more than its own members, so a spread of it is none. */
export function withFiles(
  disk: Disk,
  change: (file: OpenFile, path: string) => OpenFile,
  more: Partial<Disk> = {},
): Disk {
  return {
    stat: (path) => disk.stat(path),
    read: (path, maxBytes) => disk.read(path, maxBytes),
    readRange: (path, offset, length) => disk.readRange(path, offset, length),
    list: (path) => disk.list(path),
    realpath: (path) => disk.realpath(path),
    create: (path) => change(disk.create(path), path),
    append: (path) => change(disk.append(path), path),
    makeFolder: (path) => disk.makeFolder(path),
    rename: (from, to) => disk.rename(from, to),
    link: (existing, name) => disk.link(existing, name),
    remove: (path) => disk.remove(path),
    syncFolder: (path) => disk.syncFolder(path),
    ...more,
  };
}

/** Somebody who uses a disk and can be made to sleep. */
export interface Sleeper {
  readonly disk: Disk;
  readonly fallenAsleep: Promise<void>;
  wake(): void;
}

/** A disk whose n-th sync takes until somebody wakes the one who waits for it. */
export function sleepingAt(disk: Disk, nth: number): Sleeper {
  let count = 0;
  let wake = () => {};
  let fallAsleep = () => {};
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const fallenAsleep = new Promise<void>((resolve) => {
    fallAsleep = resolve;
  });
  const slowly = async (sync: () => Promise<void>) => {
    count += 1;
    const isNow = count === nth;
    await sync();
    if (!isNow) return;
    fallAsleep();
    await woken;
  };
  const slow = (file: OpenFile): OpenFile => ({ ...file, sync: () => slowly(() => file.sync()) });
  const syncFolder = (path: string) => slowly(() => disk.syncFolder(path));
  return { disk: withFiles(disk, slow, { syncFolder }), fallenAsleep, wake: () => wake() };
}
