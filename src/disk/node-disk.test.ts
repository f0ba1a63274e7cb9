import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nodeDisk } from './node-disk.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pawl-disk-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const at = (name: string) => join(root, name);

test('files are for their owner only, and so are folders', () => {
  nodeDisk.makeFolder(at('a/b'));
  nodeDisk.create(at('a/created')).close();
  nodeDisk.append(at('a/appended')).close();
  const modeOf = (name: string) => statSync(at(name)).mode & 0o777;
  expect(modeOf('a')).toBe(0o700);
  expect(modeOf('a/b')).toBe(0o700);
  expect(modeOf('a/created')).toBe(0o600);
  expect(modeOf('a/appended')).toBe(0o600);
});

test('a FIFO in the place of a file is refused and not waited for', () => {
  execFileSync('sh', ['-c', 'mkfifo "$0"', at('fifo')]);
  expect(nodeDisk.stat(at('fifo'))?.kind).toBe('other');
  expect(() => nodeDisk.read(at('fifo'))).toThrow(
    expect.objectContaining({ code: 'EINVAL', operation: 'read' }),
  );
  expect(() => nodeDisk.readRange(at('fifo'), 0, 1)).toThrow(expect.objectContaining({ code: 'EINVAL' }));
  expect(() => nodeDisk.append(at('fifo'))).toThrow(expect.objectContaining({ code: 'ENXIO' }));
});

test('a socket and a device are refused', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(at('socket'), resolve));
  try {
    expect(nodeDisk.stat(at('socket'))?.kind).toBe('other');
    expect(() => nodeDisk.read(at('socket'))).toThrow(expect.objectContaining({ code: 'ENXIO' }));
    expect(() => nodeDisk.read('/dev/zero')).toThrow(expect.objectContaining({ code: 'EINVAL' }));
    expect(() => nodeDisk.append('/dev/null')).toThrow(expect.objectContaining({ code: 'EINVAL' }));
  } finally {
    server.close();
  }
});

test('the time of a file has its fraction', () => {
  nodeDisk.create(at('a')).close();
  expect(nodeDisk.stat(at('a'))?.mtimeMs).toBe(statSync(at('a')).mtimeMs);
  expect(nodeDisk.stat(at('a'))?.ino).toBe(statSync(at('a')).ino);
});

test('a wrong argument is a bug and no trouble of the disk', () => {
  expect(() => nodeDisk.stat('a\0b')).toThrow(TypeError);
  expect(() => nodeDisk.create('a\0b')).toThrow(TypeError);
});

test('opens no file that stays open', () => {
  execFileSync('sh', ['-c', 'mkfifo "$0"', at('fifo')]);
  const openFiles = () => nodeDisk.list('/proc/self/fd')?.length;
  const before = openFiles();
  nodeDisk.append(at('a')).close();
  nodeDisk.read(at('a'));
  for (const refused of [
    () => nodeDisk.read(at('fifo')),
    () => nodeDisk.read(root),
    () => nodeDisk.append('/dev/null'),
    () => nodeDisk.read(at('a'), -1),
  ]) {
    expect(refused).toThrow();
  }
  expect(openFiles()).toBe(before);
});
