import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MemoryDisk } from '../../test/memory/memory-disk.ts';
import { systemClock } from '../base/clock.ts';
import { hashBytes } from '../base/hash.ts';
import type { Disk } from '../disk/disk.ts';
import { FileIndex } from '../disk/file-index.ts';
import { hashFile } from '../disk/hash-file.ts';
import { nodeDisk } from '../disk/node-disk.ts';
import type { OutputRecord } from '../model/event.ts';
import { type ProveOptions, proveOutput } from './verify-output.ts';

let root: string;
let path: string;

beforeEach(() => {
  root = fs.mkdtempSync(join(os.tmpdir(), 'pawl-facts-'));
  path = join(root, 'output.md');
  useIndex(nodeDisk);
});

afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

let files: FileIndex;
let quick: ProveOptions;
let deep: ProveOptions;

function useIndex(disk: Disk): void {
  files = new FileIndex(disk, systemClock, join(root, 'index'));
  quick = { deep: false, files };
  deep = { deep: true, files };
}

function record(content: string): OutputRecord {
  fs.writeFileSync(path, content);
  return noted(content);
}

function noted(content: string): OutputRecord {
  const stat = fs.lstatSync(path);
  const hash = hashBytes(content);
  files.note('output.md', stat, hash);
  return { path: 'output.md', hash, size: stat.size };
}

/** Writes without leaving a trace in the modification time, as a power cut does. */
function damage(content: string): void {
  const { atime, mtime } = fs.statSync(path);
  fs.writeFileSync(path, content);
  fs.utimesSync(path, atime, mtime);
}

test('untouched: intact, without reading, and always the same object', () => {
  const recorded = record('words');
  const noReading: Disk = { ...nodeDisk, read: refuse, readRange: refuse };
  const fact = proveOutput(noReading, path, recorded, quick);
  expect(fact).toEqual({ kind: 'intact' });
  expect(proveOutput(noReading, path, recorded, quick)).toBe(fact);
});

test('unknown to the index: intact once its bytes were read, and not read again', () => {
  const recorded = record('words');
  useIndex(nodeDisk);
  expect(proveOutput(nodeDisk, path, recorded, quick)).toEqual({ kind: 'intact' });
  const noReading: Disk = { ...nodeDisk, read: refuse, readRange: refuse };
  expect(proveOutput(noReading, path, recorded, quick)).toEqual({ kind: 'intact' });
});

test('deep: the bytes are read', () => {
  const recorded = record('words');
  expect(proveOutput(nodeDisk, path, recorded, deep)).toEqual({ kind: 'intact' });
});

test('touched or copied, with the same bytes: intact', () => {
  const recorded = record('words');
  fs.utimesSync(path, 1, 1);
  expect(proveOutput(nodeDisk, path, recorded, quick)).toEqual({ kind: 'intact' });
  fs.rmSync(path);
  fs.writeFileSync(path, 'words');
  expect(proveOutput(nodeDisk, path, recorded, quick)).toEqual({ kind: 'intact' });
});

test('gone: missing', () => {
  const recorded = record('words');
  fs.rmSync(path);
  expect(proveOutput(nodeDisk, path, recorded, quick)).toEqual({ kind: 'missing' });
});

test('edited, in place or by replacement: other', () => {
  const recorded = record('words');
  fs.writeFileSync(path, 'other words');
  fs.utimesSync(path, 1, 1);
  expect(proveOutput(nodeDisk, path, recorded, quick)).toEqual({
    kind: 'other',
    hash: hashBytes('other words'),
    size: 11,
  });
  fs.writeFileSync(`${path}.new`, 'drows');
  fs.renameSync(`${path}.new`, path);
  expect(proveOutput(nodeDisk, path, recorded, quick)).toEqual({
    kind: 'other',
    hash: hashBytes('drows'),
    size: 5,
  });
});

test('another file of the same size and time is looked into', () => {
  record('words');
  fs.utimesSync(path, 1_700_000_000, 1_700_000_000);
  const recorded = noted('words');
  fs.writeFileSync(`${path}.new`, 'drows');
  fs.utimesSync(`${path}.new`, 1_700_000_000, 1_700_000_000);
  fs.renameSync(`${path}.new`, path);
  expect(proveOutput(nodeDisk, path, recorded, quick)).toMatchObject({ kind: 'other' });
});

test('other bytes under the same inode and time: torn', () => {
  const disk = new MemoryDisk({ now: () => 5 });
  disk.putFile('/output', 'words');
  useIndex(disk);
  const recorded = { path: 'output', hash: hashBytes('words'), size: 5 };
  const stat = disk.stat('/output');
  if (stat !== undefined) files.note('output', stat, recorded.hash);
  disk.putFile('/output', 'wor');
  expect(proveOutput(disk, '/output', recorded, quick)).toEqual({ kind: 'torn', hash: hashBytes('wor') });
  disk.putFile('/output', '\0\0\0\0\0');
  // Only a look at the bytes can tell: after a reboot one is taken.
  expect(proveOutput(disk, '/output', recorded, quick)).toEqual({ kind: 'intact' });
  expect(proveOutput(disk, '/output', recorded, deep)).toEqual({
    kind: 'torn',
    hash: hashBytes('\0\0\0\0\0'),
  });
});

test('the same on a real disk', () => {
  record('words');
  // Whole milliseconds, which is all that can be set again.
  fs.utimesSync(path, 1_700_000_000, 1_700_000_000);
  const recorded = noted('words');
  damage('');
  expect(proveOutput(nodeDisk, path, recorded, quick)).toEqual({ kind: 'torn', hash: hashBytes('') });
});

test('a folder, a link, a FIFO: not a file, and nothing is waited for', () => {
  const recorded = record('words');
  fs.rmSync(path);
  fs.mkdirSync(path);
  expect(proveOutput(nodeDisk, path, recorded, deep)).toEqual({ kind: 'not-a-file' });
  fs.rmdirSync(path);
  fs.writeFileSync(`${path}.real`, 'words');
  fs.symlinkSync(`${path}.real`, path);
  expect(proveOutput(nodeDisk, path, recorded, deep)).toEqual({ kind: 'not-a-file' });
  fs.rmSync(path);
  execFileSync('mkfifo', [path]);
  expect(proveOutput(nodeDisk, path, recorded, deep)).toEqual({ kind: 'not-a-file' });
});

test('a file that cannot be read is no file; trouble of the whole process is loud', () => {
  const disk = new MemoryDisk();
  disk.putFile('/output', 'words');
  const recorded = { path: 'output', hash: hashBytes('words'), size: 5 };
  let code = 'EIO';
  disk.failWhen((call) => (call.operation === 'read' ? { kind: 'error', code } : undefined));
  expect(proveOutput(disk, '/output', recorded, quick)).toEqual({ kind: 'not-a-file' });
  code = 'EMFILE';
  expect(() => proveOutput(disk, '/output', recorded, quick)).toThrow('EMFILE');
});

test.each([0, 1, 1024 * 1024 - 1, 1024 * 1024, 1024 * 1024 + 1, 3 * 1024 * 1024])(
  'hashFile of %i bytes',
  (size) => {
    const bytes = Buffer.alloc(size, 'pawl');
    fs.writeFileSync(path, bytes);
    expect(hashFile(nodeDisk, path)).toEqual({ hash: hashBytes(bytes), size });
    expect(hashFile(nodeDisk, `${path}.absent`)).toBeUndefined();
  },
);

function refuse(): never {
  throw new Error('nothing may be read here');
}
