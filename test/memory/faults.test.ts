import { expect, test } from 'vitest';
import type { Disk } from '../../src/disk/disk.ts';
import { CrashSignal, MemoryDisk, type Operation } from './memory-disk.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const textAt = (disk: Disk, path: string) => new TextDecoder().decode(disk.read(path));

function diskWithFile(text: string): MemoryDisk {
  const disk = new MemoryDisk();
  disk.putFile('/file', text);
  return disk;
}

test('a crash before, during or after a write', () => {
  for (const [when, expected] of [
    ['before', 'A'],
    ['during', 'Abb'],
    ['after', 'Abbbb'],
  ] as const) {
    const disk = new MemoryDisk();
    disk.putFile('/file', 'A');
    const file = disk.append('/file');
    disk.failAt(2, { kind: 'crash', when });
    expect(() => file.write(bytes('bbbb'))).toThrow(CrashSignal);
    expect(disk.crashed).toBe(true);
    expect(textAt(disk.kill(), '/file')).toBe(expected);
  }
});

test('after a crash nothing can be done any more', async () => {
  const disk = diskWithFile('A');
  const file = disk.append('/file');
  const fingerprint = disk.fingerprint();
  disk.failAt(2, { kind: 'crash', when: 'before' });
  const calls: (() => unknown)[] = [
    () => disk.remove('/file'),
    () => disk.stat('/file'),
    () => disk.read('/file'),
    () => disk.readRange('/file', 0, 1),
    () => disk.list('/'),
    () => disk.realpath('/'),
    () => disk.create('/new'),
    () => disk.append('/file'),
    () => disk.makeFolder('/new'),
    () => disk.rename('/file', '/new'),
    () => disk.link('/file', '/new'),
    () => file.write(bytes('x')),
    () => file.stat(),
    () => file.close(),
  ];
  for (const call of calls) expect(call).toThrow(CrashSignal);
  await expect(file.sync()).rejects.toThrow(CrashSignal);
  await expect(disk.syncFolder('/')).rejects.toThrow(CrashSignal);
  expect(disk.calls).toBe(2);
  expect(disk.fingerprint()).toBe(fingerprint);
});

test('a sync that is under way when the process dies makes nothing durable', async () => {
  const disk = diskWithFile('A');
  const file = disk.append('/file');
  file.write(bytes('b'));
  const syncing = file.sync();
  disk.failAt(disk.calls + 1, { kind: 'crash', when: 'before' });
  expect(() => disk.remove('/none')).toThrow(CrashSignal);
  await expect(syncing).rejects.toThrow(CrashSignal);
  expect(textAt(disk.crash(), '/file')).toBe('A');
});

test('a crash after a sync comes when the bytes are durable', async () => {
  const disk = diskWithFile('A');
  const file = disk.append('/file');
  file.write(bytes('b'));
  disk.failAt(disk.calls + 1, { kind: 'crash', when: 'after' });
  await expect(file.sync()).rejects.toThrow(CrashSignal);
  expect(textAt(disk.crash(), '/file')).toBe('Ab');
});

test('the process dies after a call that fails by itself, too', () => {
  const disk = new MemoryDisk();
  disk.failAt(1, { kind: 'crash', when: 'after' });
  expect(() => disk.rename('/none', '/new')).toThrow(CrashSignal);
});

test('an error has no effect and hits the counted call only', () => {
  const disk = new MemoryDisk();
  disk.failAt(2, { kind: 'error', code: 'EMFILE' });
  disk.create('/a').close();
  expect(() => disk.create('/b')).toThrow(
    expect.objectContaining({ code: 'EMFILE', operation: 'create', path: '/b' }),
  );
  disk.create('/c').close();
  expect(disk.list('/')).toEqual(['a', 'c']);
});

test('reading calls can fail and are not counted', () => {
  const disk = new MemoryDisk();
  disk.putFile('/file', 'x');
  const seen: [Operation, number | undefined][] = [];
  disk.failWhen((call) => {
    seen.push([call.operation, call.number]);
    return call.operation === 'read' ? { kind: 'error', code: 'EIO' } : undefined;
  });
  expect(() => disk.read('/file')).toThrow(expect.objectContaining({ code: 'EIO' }));
  disk.stat('/file');
  disk.remove('/file');
  expect(seen).toEqual([
    ['read', undefined],
    ['stat', undefined],
    ['remove', 1],
  ]);
});

test('a nearly full disk takes what fits and then nothing', () => {
  const disk = new MemoryDisk();
  disk.freeBytes = 3;
  const file = disk.create('/file');
  expect(file.write(bytes('12345'))).toBe(3);
  expect(() => file.write(bytes('45'))).toThrow('ENOSPC');
  expect(file.write(new Uint8Array())).toBe(0);
  expect(textAt(disk, '/file')).toBe('123');
  expect(disk.kill().freeBytes).toBe(0);
});

test('two writers of one new file are a bug of the test and told as such', () => {
  const disk = new MemoryDisk();
  const file = disk.create('/file');
  const other = disk.append('/file');
  other.write(bytes('x'));
  other.close();
  expect(() => file.write(bytes('y'))).toThrow('write at 0 of 1');
});
