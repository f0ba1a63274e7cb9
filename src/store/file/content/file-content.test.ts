import * as fs from 'node:fs';
import * as os from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DiskCall } from '../../../../test/memory/memory-disk.ts';
import { MemoryDisk } from '../../../../test/memory/memory-disk.ts';
import { type Hash, hashBytes } from '../../../base/hash.ts';
import { nodeDisk } from '../../../disk/node-disk.ts';
import { FileContent } from './file-content.ts';
import { packedBytesMax } from './object-name.ts';

const folder = '/work/.pawl/objects';
const durable = { durable: true };
const inProcess = { durable: false };

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function filled(size: number, seed: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, at) => (at * 31 + seed * 7 + (at >> 8)) & 0xff);
}

function newDisk(): MemoryDisk {
  const disk = new MemoryDisk();
  // Durable, as the workspace is.
  disk.putFile('/work/pawl.yaml', '');
  return disk;
}

function packsOf(disk: MemoryDisk): string[] {
  return (disk.list(`${folder}/packs`) ?? []).filter((name) => name.endsWith('.pack'));
}

function packBytes(disk: MemoryDisk): number {
  return packsOf(disk).reduce((sum, name) => sum + (disk.stat(`${folder}/packs/${name}`)?.size ?? 0), 0);
}

function watch(disk: MemoryDisk): DiskCall[] {
  const calls: DiskCall[] = [];
  disk.failWhen((call) => {
    calls.push(call);
    return undefined;
  });
  return calls;
}

describe('round trip', () => {
  const sizes = [0, 1, 4096, packedBytesMax, packedBytesMax + 1, 3 * 1024 * 1024 + 5];

  test.each([durable, inProcess])('on a real disk, through close and open (%o)', async (options) => {
    const root = fs.mkdtempSync(join(os.tmpdir(), 'pawl-store-'));
    try {
      const objects = sizes.map((size) => filled(size, size));
      const store = new FileContent(nodeDisk, join(root, '.pawl/objects'), options);
      const hashes = objects.map((bytes) => store.put(bytes));
      const expectAll = (from: FileContent) => {
        for (const [at, hash] of hashes.entries()) {
          expect(hash).toBe(hashBytes(objects[at] ?? ''));
          expect(from.has(hash)).toBe(true);
          expect(Buffer.compare(from.get(hash) as Uint8Array, objects[at] ?? new Uint8Array(9))).toBe(0);
        }
      };
      expectAll(store);
      await store.flush();
      expectAll(store);
      await store.close();
      const again = new FileContent(nodeDisk, join(root, '.pawl/objects'), options);
      expectAll(again);
      await again.close();
    } finally {
      fs.rmSync(root, { recursive: true });
    }
  });

  test('what was put lately is had without reading', async () => {
    const disk = newDisk();
    const store = new FileContent(disk, folder, inProcess);
    const reads = () => calls.filter(({ operation }) => operation.startsWith('read'));
    const first = bytesOf('first');
    const hash = store.put(first);
    const calls = watch(disk);
    expect(store.recall(hash)).toEqual(first);
    await store.flush();
    const copy = store.recall(hash);
    expect(copy).toEqual(first);
    copy?.fill(0);
    expect(store.recall(hash)).toEqual(first);
    expect(reads()).toEqual([]);
    const second = store.put(bytesOf('second'));
    expect([store.recall(hash), store.recall(second)]).toEqual([first, bytesOf('second')]);
    await store.flush();
    expect([store.recall(hash), store.recall(second)]).toEqual([first, bytesOf('second')]);
    await store.close();
  });

  test('of what was put the last is recalled, and all of it is there', async () => {
    const store = new FileContent(newDisk(), folder, inProcess);
    const objects = Array.from({ length: 80 }, (_, at) => filled(packedBytesMax - at, at));
    const hashes: Hash[] = [];
    for (const [at, bytes] of objects.entries()) {
      hashes.push(store.put(bytes));
      // Some are written at once, others with those behind them.
      if (at % 7 === 0) await store.flush();
      for (const recent of [at, Math.max(0, at - 14)])
        expect(
          Buffer.compare(
            store.recall(hashes[recent] as Hash) ?? bytesOf('none'),
            objects[recent] as Uint8Array,
          ),
        ).toBe(0);
    }
    expect(store.recall(hashes[0] as Hash)).toBeUndefined();
    for (const [at, hash] of hashes.entries())
      expect(Buffer.compare(store.get(hash) as Uint8Array, objects[at] as Uint8Array)).toBe(0);
    await store.close();
  });

  test('what was put lately is recalled batch by batch, however large', async () => {
    const store = new FileContent(newDisk(), folder, inProcess);
    for (const [batch, sizes] of [
      [0, 1, 4096],
      [packedBytesMax, 2, 70],
      [9, packedBytesMax],
      [11],
    ].entries()) {
      const objects = sizes.map((size) => filled(size, batch));
      const hashes = objects.map((bytes) => store.put(bytes));
      expect(hashes.map((hash) => store.recall(hash))).toEqual(objects);
      await store.flush();
      expect(hashes.map((hash) => store.recall(hash))).toEqual(objects);
    }
    await store.close();
  });

  test('what is a file of its own, or was put by another, is not recalled', async () => {
    const disk = newDisk();
    const store = new FileContent(disk, folder, inProcess);
    const large = store.put(filled(packedBytesMax + 1, 1));
    const small = store.put(filled(10, 1));
    await store.close();
    expect(store.recall(large)).toBeUndefined();
    expect(new FileContent(disk, folder, inProcess).recall(small)).toBeUndefined();
  });

  test('what was never put is not there', () => {
    const store = new FileContent(newDisk(), folder, durable);
    expect(store.has(hashBytes('never'))).toBe(false);
    expect(store.get(hashBytes('never'))).toBeUndefined();
  });

  test('the caller may use its buffer again at once', async () => {
    const store = new FileContent(newDisk(), folder, durable);
    const small = bytesOf('first words');
    const large = filled(packedBytesMax + 1, 1);
    const hashes = [store.put(small), store.put(large)];
    small.fill(0);
    large.fill(0);
    await store.flush();
    for (const hash of hashes) expect(hashBytes(store.get(hash) as Uint8Array)).toBe(hash);
  });

  test('a file of any size is taken in, and comes back', async () => {
    const disk = newDisk();
    const store = new FileContent(disk, folder, durable);
    for (const size of [...sizes, 1024 * 1024]) {
      const bytes = filled(size, size);
      disk.putFile('/work/file', bytes);
      const stored = await store.putFile('/work/file');
      expect(stored).toEqual({ hash: hashBytes(bytes), size });
    }
    await store.flush();
    const next = new FileContent(disk, folder, durable);
    for (const size of sizes) {
      expect(Buffer.compare(next.get(hashBytes(filled(size, size))) as Uint8Array, filled(size, size))).toBe(
        0,
      );
    }
    await store.close();
    expect(disk.openFiles).toBe(0);
    expect(await next.putFile('/work/absent')).toBeUndefined();
  });

  test.each([10, packedBytesMax + 10])('a file of %i bytes is refused beyond the limit', async (size) => {
    const disk = newDisk();
    const store = new FileContent(disk, folder, durable);
    disk.putFile('/work/file', filled(size, 1));
    await expect(store.putFile('/work/file', size - 1)).rejects.toMatchObject({ code: 'EFBIG' });
    await store.close();
    expect(disk.openFiles).toBe(0);
  });
});

describe('put if absent', () => {
  test('the same bytes are written once by one store', async () => {
    const disk = newDisk();
    const store = new FileContent(disk, folder, durable);
    store.put(bytesOf('words'));
    store.put(bytesOf('words'));
    await store.flush();
    const length = packBytes(disk);
    store.put(bytesOf('words'));
    await store.flush();
    expect(packBytes(disk)).toBe(length);
  });

  test('what an earlier store closed over is not written again', async () => {
    const disk = newDisk();
    const first = new FileContent(disk, folder, durable);
    first.put(bytesOf('words'));
    const large = filled(packedBytesMax + 1, 1);
    first.put(large);
    await first.close();
    const second = new FileContent(disk, folder, durable);
    second.put(bytesOf('words'));
    second.put(large);
    const calls = watch(disk);
    await second.close();
    expect(packsOf(disk)).toHaveLength(1);
    expect(calls.filter((call) => call.operation === 'write')).toEqual([]);
  });

  test('bytes that another process has not synced are not relied on, unless nothing has to be durable', async () => {
    const disk = newDisk();
    const first = new FileContent(disk, folder, durable);
    first.put(bytesOf('words'));
    await first.flush();
    const careless = new FileContent(disk, folder, inProcess);
    careless.put(bytesOf('words'));
    await careless.flush();
    expect(packsOf(disk)).toHaveLength(1);
    const careful = new FileContent(disk, folder, durable);
    careful.put(bytesOf('words'));
    await careful.flush();
    expect(packsOf(disk)).toHaveLength(2);
  });
});

describe('flush', () => {
  test('is one write and one sync of the pack, however many objects wait', async () => {
    const disk = newDisk();
    const store = new FileContent(disk, folder, durable);
    store.put(bytesOf('the first makes the pack'));
    await store.flush();
    const calls = watch(disk);
    for (let at = 0; at < 50; at++) store.put(bytesOf(`object ${at}`));
    await store.flush();
    expect(calls.filter((call) => call.number !== undefined).map((call) => call.operation)).toEqual([
      'write',
      'sync',
    ]);
  });

  test('calls of one moment share one commit', async () => {
    const disk = newDisk();
    const store = new FileContent(disk, folder, durable);
    const calls = watch(disk);
    store.put(bytesOf('one'));
    const first = store.flush();
    store.put(bytesOf('two'));
    await Promise.all([first, store.flush(), store.flush()]);
    expect(calls.filter((call) => call.operation === 'sync')).toHaveLength(1);
  });

  test('what is put while a sync is under way waits for the next one', async () => {
    const disk = newDisk();
    const store = new FileContent(disk, folder, durable);
    store.put(bytesOf('one'));
    const first = store.flush();
    // The commit has begun by now: its write is done and its sync is not.
    await Promise.resolve();
    const hash = store.put(bytesOf('two'));
    await Promise.all([first, store.flush()]);
    const after = new FileContent(disk.crash(), folder, durable);
    expect(after.get(hash)).toEqual(bytesOf('two'));
  });

  test('a second call waits for the commit that is under way', async () => {
    const disk = newDisk();
    const store = new FileContent(disk, folder, durable);
    const hash = store.put(bytesOf('one'));
    const first = store.flush();
    await Promise.resolve();
    await store.flush();
    expect(new FileContent(disk.crash(), folder, durable).get(hash)).toEqual(bytesOf('one'));
    await first;
  });

  test('without anything put it makes nothing', async () => {
    const disk = newDisk();
    const store = new FileContent(disk, folder, durable);
    const before = disk.calls;
    await store.flush();
    await store.close();
    expect(disk.calls).toBe(before);
  });

  test('not durable: nothing is synced', async () => {
    const disk = newDisk();
    const store = new FileContent(disk, folder, inProcess);
    const calls = watch(disk);
    store.put(bytesOf('words'));
    store.put(filled(packedBytesMax + 1, 1));
    await store.close();
    expect(calls.filter((call) => call.operation.startsWith('sync'))).toEqual([]);
    const next = new FileContent(disk.kill(), folder, inProcess);
    expect(next.get(hashBytes('words'))).toEqual(bytesOf('words'));
  });
});

describe('trouble of the disk', () => {
  test('a full disk rejects the flush, and every flush after it', async () => {
    const disk = newDisk();
    const store = new FileContent(disk, folder, durable);
    store.put(bytesOf('fits'));
    await store.flush();
    disk.freeBytes = 40;
    const lost = store.put(bytesOf('does not fit any more'));
    await expect(store.flush()).rejects.toMatchObject({ code: 'ENOSPC' });
    disk.freeBytes = Number.POSITIVE_INFINITY;
    expect(store.put(bytesOf('does not fit any more'))).toBe(lost);
    await expect(store.flush()).rejects.toMatchObject({ code: 'ENOSPC' });
    await store.close();
    expect(disk.openFiles).toBe(0);
    const next = new FileContent(disk, folder, durable);
    expect(next.get(hashBytes('fits'))).toEqual(bytesOf('fits'));
    expect(next.get(lost)).toBeUndefined();
  });

  test('a large object that does not fit is told by the flush', async () => {
    const disk = newDisk();
    const store = new FileContent(disk, folder, durable);
    disk.freeBytes = packedBytesMax;
    store.put(filled(packedBytesMax + 1, 1));
    await expect(store.flush()).rejects.toMatchObject({ code: 'ENOSPC' });
    await store.close();
    expect(disk.openFiles).toBe(0);
    expect(disk.list(folder)).toEqual([]);
  });

  test.each(['sync', 'syncFolder', 'rename', 'append', 'makeFolder'])(
    'a failed %s rejects the flush',
    async (operation) => {
      const disk = newDisk();
      disk.failWhen((call) => (call.operation === operation ? { kind: 'error', code: 'EIO' } : undefined));
      const store = new FileContent(disk, folder, durable);
      store.put(bytesOf('small'));
      store.put(filled(packedBytesMax + 1, 1));
      await expect(store.flush()).rejects.toMatchObject({ code: 'EIO' });
      await store.close();
      expect(disk.openFiles).toBe(0);
    },
  );

  test('short writes are gone on with', async () => {
    const disk = newDisk();
    disk.failWhen((call) => (call.operation === 'write' ? { kind: 'short-write', bytes: 7 } : undefined));
    const store = new FileContent(disk, folder, durable);
    const hash = store.put(bytesOf('more than seven bytes'));
    await store.flush();
    const next = new FileContent(disk.kill(), folder, durable);
    expect(next.get(hash)).toEqual(bytesOf('more than seven bytes'));
  });

  test('an index that cannot be written is no trouble', async () => {
    const disk = newDisk();
    const store = new FileContent(disk, folder, durable);
    store.put(bytesOf('words'));
    await store.flush();
    disk.failWhen((call) => (call.operation === 'create' ? { kind: 'error', code: 'ENOSPC' } : undefined));
    await store.close();
    expect(disk.openFiles).toBe(0);
  });

  test('a pack that cannot be read hides no other', async () => {
    const disk = newDisk();
    for (const words of ['one', 'two']) {
      const store = new FileContent(disk, folder, durable);
      store.put(bytesOf(words));
      await store.close();
    }
    const [bad] = packsOf(disk);
    disk.putFile(`${folder}/packs/unindexed.pack`, 'x');
    disk.failWhen((call) =>
      call.operation === 'read' && !call.path.includes('.idx') && call.path.includes(bad ?? '?')
        ? { kind: 'error', code: 'EIO' }
        : undefined,
    );
    const store = new FileContent(disk, folder, durable);
    const found = ['one', 'two'].map((words) => store.get(hashBytes(words)));
    expect(found.filter((one) => one === 'damaged')).toHaveLength(1);
    expect(found.filter((one) => one instanceof Uint8Array)).toHaveLength(1);
  });

  test('after close nothing can be put', async () => {
    const store = new FileContent(newDisk(), folder, durable);
    await store.close();
    expect(() => store.put(bytesOf('late'))).toThrow();
  });
});

describe('damage', () => {
  test('no flipped byte of a pack is ever given out, and the other objects are', async () => {
    const disk = newDisk();
    const store = new FileContent(disk, folder, durable);
    const objects = ['alpha', '', 'gamma\ngamma', 'delta'].map(bytesOf);
    const hashes = objects.map((bytes) => store.put(bytes));
    await store.close();
    const path = `${folder}/packs/${packsOf(disk)[0]}`;
    const whole = disk.read(path) ?? new Uint8Array();
    for (let at = 0; at < whole.length; at++) {
      const flipped = whole.slice();
      flipped[at] = (flipped[at] ?? 0) ^ 0x41;
      disk.putFile(path, flipped);
      const reader = new FileContent(disk, folder, durable);
      const found = hashes.map((hash) => reader.get(hash));
      const bad = found.filter((bytes, index) => !isSame(bytes, objects[index]));
      // The index knows where the objects are: only a flip inside an object's own bytes can hurt it.
      expect(bad.length).toBeLessThanOrEqual(1);
      expect(bad.every((bytes) => bytes === 'damaged')).toBe(true);
    }
  });

  test.each([10, packedBytesMax + 10])(
    'a damaged object of %i bytes is healed by putting it again',
    async (size) => {
      const disk = newDisk();
      const bytes = filled(size, 3);
      const first = new FileContent(disk, folder, durable);
      const hash = first.put(bytes);
      await first.close();
      const path =
        size > packedBytesMax
          ? `${folder}/${hash.slice(7, 9)}/${hash.slice(9)}`
          : `${folder}/packs/${packsOf(disk)[0]}`;
      const whole = disk.read(path) ?? new Uint8Array();
      disk.putFile(
        path,
        whole.map((byte, at) => (at === whole.length - 3 ? byte ^ 1 : byte)),
      );

      const second = new FileContent(disk, folder, durable);
      expect(second.get(hash)).toBe('damaged');
      second.put(bytes);
      await second.close();
      const third = new FileContent(disk, folder, durable);
      expect(isSame(third.get(hash), bytes)).toBe(true);
    },
  );

  test('a loose object that is cut short, or no file at all, is damaged or missing, never good', async () => {
    const disk = newDisk();
    const store = new FileContent(disk, folder, durable);
    const hash = store.put(filled(packedBytesMax + 1, 1));
    await store.flush();
    const path = `${folder}/${hash.slice(7, 9)}/${hash.slice(9)}`;
    disk.putFile(path, filled(packedBytesMax, 1));
    expect(store.get(hash)).toBe('damaged');
    disk.remove(path);
    expect(store.get(hash)).toBeUndefined();
    disk.makeFolder(path);
    expect(store.get(hash)).toBe('damaged');
    expect(store.has(hash)).toBe(false);
  });
});

describe('more than one store on one folder', () => {
  test('each finds what the other flushed, before and after it closes', async () => {
    const disk = newDisk();
    const a = new FileContent(disk, folder, durable);
    const b = new FileContent(disk, folder, durable);
    const fromA: string[] = [];
    for (let round = 0; round < 3; round++) {
      const one = a.put(bytesOf(`a ${round}`));
      const two = b.put(bytesOf(`b ${round}`));
      const large = b.put(filled(packedBytesMax + 1 + round, round));
      fromA.push(one);
      await Promise.all([a.flush(), b.flush()]);
      expect(b.get(one)).toEqual(bytesOf(`a ${round}`));
      expect(a.get(two)).toEqual(bytesOf(`b ${round}`));
      expect(a.has(large)).toBe(true);
    }
    expect(packsOf(disk)).toHaveLength(2);
    await a.close();
    const later = b.put(bytesOf('after a was closed'));
    await b.close();
    const c = new FileContent(disk, folder, durable);
    expect(c.get(later)).toEqual(bytesOf('after a was closed'));
    expect(fromA.map((hash) => c.has(hash as `sha256:${string}`))).toEqual([true, true, true]);
  });

  test('what a killed process left unindexed is found, and indexed by the next that writes', async () => {
    const disk = newDisk();
    const killed = new FileContent(disk, folder, durable);
    const hash = killed.put(bytesOf('left behind'));
    await killed.flush();
    const next = disk.kill();
    const reader = new FileContent(next, folder, durable);
    const before = next.calls;
    expect(reader.get(hash)).toEqual(bytesOf('left behind'));
    await reader.close();
    expect(next.calls).toBe(before);

    const writer = new FileContent(next, folder, durable);
    writer.put(bytesOf('new'));
    expect(writer.get(hash)).toEqual(bytesOf('left behind'));
    await writer.close();
    const names = next.list(`${folder}/packs`) ?? [];
    expect(names.filter((name) => name.endsWith('.idx'))).toHaveLength(2);
    expect(new FileContent(next, folder, durable).get(hash)).toEqual(bytesOf('left behind'));
  });
});

test('the index of a writer that closed in the meantime is left as it is', async () => {
  const disk = newDisk();
  const a = new FileContent(disk, folder, durable);
  const b = new FileContent(disk, folder, durable);
  const hash = a.put(bytesOf('from a'));
  await a.flush();
  expect(b.has(hash)).toBe(true);
  b.put(bytesOf('from b'));
  await a.close();
  await b.close();
  const indexes = (disk.list(`${folder}/packs`) ?? []).filter((name) => name.endsWith('.idx'));
  expect(indexes).toHaveLength(2);
  for (const name of indexes) {
    expect(Buffer.from(disk.read(`${folder}/packs/${name}`) ?? '').toString('latin1')).toMatch(
      /^pawl-index 1 1 \d+ synced\n/,
    );
  }
});

test('a pack that holds enough is followed by another, and everything is found', async () => {
  const root = fs.mkdtempSync(join(os.tmpdir(), 'pawl-store-'));
  try {
    const path = join(root, 'objects');
    const store = new FileContent(nodeDisk, path, inProcess);
    const count = 100_001;
    for (let at = 0; at < count; at++) store.put(bytesOf(`${at}`));
    await store.flush();
    expect(store.get(hashBytes('0'))).toEqual(bytesOf('0'));
    await store.close();
    expect(fs.readdirSync(join(path, 'packs')).filter((name) => name.endsWith('.pack'))).toHaveLength(2);
    const again = new FileContent(nodeDisk, path, inProcess);
    for (const at of [0, 1, 77_777, count - 2, count - 1])
      expect(again.get(hashBytes(`${at}`))).toEqual(bytesOf(`${at}`));
    expect(again.has(hashBytes(`${count}`))).toBe(false);
  } finally {
    fs.rmSync(root, { recursive: true });
  }
});

function isSame(found: Uint8Array | 'damaged' | undefined, wanted: Uint8Array | undefined): boolean {
  return found instanceof Uint8Array && wanted !== undefined && Buffer.compare(found, wanted) === 0;
}
