import { basename } from 'node:path';
import type { Disk, OpenFile } from '../../src/disk/disk.ts';
import { isTempName } from '../../src/disk/write.ts';

/*
 * Deliberate mistakes in the protocol, each put in where the product meets its disk: what the product then does to the
 * disk is what it would do if the mistake were in its own code.
 */

/** The names of new files are never made durable. */
export function noFolderSync(disk: Disk): Disk {
  return { ...through(disk), syncFolder: () => Promise.resolve() };
}

/** The record of a success is durable before the bytes that it speaks of. */
export function recordBeforeBytes(disk: Disk): Disk {
  return withFiles(disk, (file, path) => (path.endsWith('.pack') ? { ...file, sync: noSync } : file));
}

/** A record counts before it is durable. */
export function noJournalSync(disk: Disk): Disk {
  return withFiles(disk, (file, path) => (isSegment(path) ? { ...file, sync: noSync } : file));
}

/** A file gets its name before its bytes are durable. */
export function noSyncBeforeName(disk: Disk): Disk {
  return withFiles(disk, (file, path) => (isTempName(basename(path)) ? { ...file, sync: noSync } : file));
}

/** Events that a killed process left unsynced are believed, and nobody makes them durable. */
export function noSyncOfInherited(disk: Disk): Disk {
  return withFiles(disk, (file, path) => {
    let written = false;
    if (!isSegment(path)) return file;
    const write = (bytes: Uint8Array) => {
      written = true;
      return file.write(bytes);
    };
    return { ...file, write, sync: () => (written ? file.sync() : noSync()) };
  });
}

/** The n-th write takes less than it was given, as on a nearly full disk, and nobody looks at the count. */
export function shortCountIgnored(disk: Disk, nth: number): Disk {
  let count = 0;
  return withFiles(disk, (file) => ({
    ...file,
    write: (bytes) => {
      count += 1;
      if (count !== nth || bytes.length < 2) return file.write(bytes);
      file.write(bytes.subarray(0, bytes.length >> 1));
      return bytes.length;
    },
  }));
}

/** The same disk, with somebody who does look. */
export function shortCount(disk: Disk, nth: number): Disk {
  let count = 0;
  const write = (file: OpenFile) => (bytes: Uint8Array) => {
    count += 1;
    return file.write(count === nth && bytes.length > 1 ? bytes.subarray(0, bytes.length >> 1) : bytes);
  };
  return withFiles(disk, (file) => ({ ...file, write: write(file) }));
}

/** Whoever holds a run never looks whether somebody else has taken it over. */
export function noFence(disk: Disk): Disk {
  const known = new Set<string>();
  return {
    ...through(disk),
    link: (existing, name) => {
      disk.link(existing, name);
      known.add(name);
    },
    stat: (path) => (isSegment(path) && !known.has(path) ? undefined : disk.stat(path)),
  };
}

function withFiles(disk: Disk, change: (file: OpenFile, path: string) => OpenFile): Disk {
  return {
    ...through(disk),
    create: (path) => change(disk.create(path), path),
    append: (path) => change(disk.append(path), path),
  };
}

/** Every call handed on; a disk is more than its own members, so a spread of it is none. */
function through(disk: Disk): Disk {
  return {
    stat: (path) => disk.stat(path),
    read: (path, maxBytes) => disk.read(path, maxBytes),
    readRange: (path, offset, length) => disk.readRange(path, offset, length),
    list: (path) => disk.list(path),
    realpath: (path) => disk.realpath(path),
    create: (path) => disk.create(path),
    append: (path) => disk.append(path),
    makeFolder: (path) => disk.makeFolder(path),
    rename: (from, to) => disk.rename(from, to),
    link: (existing, name) => disk.link(existing, name),
    remove: (path) => disk.remove(path),
    syncFolder: (path) => disk.syncFolder(path),
  };
}

function isSegment(path: string): boolean {
  return /\/events\/runner\/\d+\.jsonl$/.test(path);
}

function noSync(): Promise<void> {
  return Promise.resolve();
}
