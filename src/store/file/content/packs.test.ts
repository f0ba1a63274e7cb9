import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { MemoryDisk } from '../../../../test/memory/memory-disk.ts';
import { type Hash, hashBytes, hashToBytes } from '../../../base/hash.ts';
import { FileContent } from './file-content.ts';
import { encodeIndexFile, findPlaces, listEntries, parseIndexFile } from './pack-index.ts';
import { scanPack } from './pack-record.ts';
import { buildIndex } from './place-table.ts';

const folder = '/objects';
const packPath = '/objects/packs/first.pack';
const indexFilePath = '/objects/packs/first.idx';
// The fourth looks like a record itself.
const contents = ['alpha', '', 'two\nlines\n', `${'ab'.repeat(32)} 3\nabc\n`, 'épsilon', 'zeta'];

let pack: Uint8Array;
let index: Uint8Array;
let ends: Map<Hash, number>;

beforeAll(async () => {
  const disk = new MemoryDisk();
  const store = new FileContent(disk, folder, { durable: true, ids: { random: () => 'first' } });
  ends = new Map();
  let end = 0;
  for (const content of contents) {
    const bytes = Buffer.from(content);
    end += `${'0'.repeat(64)} ${bytes.length}\n`.length + bytes.length + 1;
    ends.set(store.put(bytes), end);
  }
  await store.close();
  pack = disk.read(packPath) ?? new Uint8Array();
  index = disk.read(indexFilePath) ?? new Uint8Array();
  expect(pack.length).toBe(end);
});

function storeWith(packBytes: Uint8Array, indexBytes?: Uint8Array): FileContent {
  const disk = new MemoryDisk();
  disk.putFile(packPath, packBytes);
  if (indexBytes !== undefined) disk.putFile(indexFilePath, indexBytes);
  return new FileContent(disk, folder, { durable: true });
}

function foundIn(store: FileContent): string[] {
  const found: string[] = [];
  for (const content of contents) {
    const bytes = store.get(hashBytes(content));
    if (bytes instanceof Uint8Array) found.push(Buffer.from(bytes).toString());
  }
  return found;
}

function flip(bytes: Uint8Array, at: number, mask: number): Uint8Array {
  return bytes.map((byte, index) => (index === at ? byte ^ mask : byte));
}

describe('a pack cut at every byte', () => {
  test.each(['without an index', 'with the index of the whole'])(
    '%s: all before the cut is found',
    (kind) => {
      for (let cut = 0; cut <= pack.length; cut++) {
        const store = storeWith(pack.slice(0, cut), kind === 'without an index' ? undefined : index);
        const whole = [...ends].filter(([, end]) => end <= cut).map(([hash]) => hash);
        expect([...ends.keys()].filter((hash) => store.has(hash))).toEqual(whole);
        expect(whole.every((hash) => store.get(hash) instanceof Uint8Array)).toBe(true);
      }
    },
  );

  test('what is torn now is found when it has grown', () => {
    const disk = new MemoryDisk();
    for (let cut = 0; cut < pack.length; cut++) {
      disk.putFile(packPath, pack.slice(0, cut));
      const store = new FileContent(disk, folder, { durable: true });
      foundIn(store);
      disk.putFile(packPath, pack);
      expect(foundIn(store)).toEqual(contents);
    }
  });
});

describe('a flipped byte', () => {
  test('in a pack without an index hides at most the record that it hit', () => {
    for (let at = 0; at < pack.length; at++) {
      for (const mask of [0x01, 0x80, 0x2a]) {
        expect(foundIn(storeWith(flip(pack, at, mask))).length).toBeGreaterThanOrEqual(contents.length - 1);
      }
    }
  });

  test('in an index is seen, and the pack is scanned', () => {
    for (let at = 0; at < index.length; at++) {
      expect(parseIndexFile(flip(index, at, 0x01))).toBeUndefined();
    }
    expect(foundIn(storeWith(pack, flip(index, 100, 0x10)))).toEqual(contents);
  });
});

describe('an index', () => {
  test('cut at every byte is seen', () => {
    for (let cut = 0; cut < index.length; cut++) expect(parseIndexFile(index.slice(0, cut))).toBeUndefined();
    expect(parseIndexFile(index)).toMatchObject({ packLength: pack.length, synced: true });
  });

  test.each([
    ['missing', () => undefined],
    ['empty', () => new Uint8Array()],
    ['of zeros', () => new Uint8Array(500)],
    [
      'of a newer version',
      () => Buffer.from(Buffer.from(index).toString('latin1').replace(' 1 ', ' 2 '), 'latin1'),
    ],
    ['with more behind it', () => Buffer.concat([index, Buffer.from('x')])],
  ])('that is %s: the pack is scanned', (_, bytes) => {
    expect(foundIn(storeWith(pack, bytes()))).toEqual(contents);
  });

  test('of a time when the pack was shorter: the rest is scanned', () => {
    for (const end of ends.values()) {
      const disk = new MemoryDisk();
      disk.putFile(packPath, pack);
      const entries = scanPack(disk, packPath, 0).entries.filter((entry) => entry.offset + entry.size < end);
      const older = encodeIndexFile({ index: buildIndex(entries), packLength: end, synced: true });
      expect(foundIn(storeWith(pack, older))).toEqual(contents);
    }
  });

  test('that lies about places gives out nothing wrong', () => {
    const entries = [...ends.keys()].map((hash, at) => ({ hash, offset: at * 3, size: 40 }));
    const lying = encodeIndexFile({ index: buildIndex(entries), packLength: pack.length, synced: true });
    const store = storeWith(pack, lying);
    for (const hash of ends.keys()) expect(store.get(hash)).toBe('damaged');
  });

  test('finds exactly what was put into it', () => {
    const entry = fc.record({ seed: fc.nat(), offset: fc.nat(2 ** 40), size: fc.nat(2 ** 32 - 1) });
    fc.assert(
      fc.property(
        fc.uniqueArray(entry, { selector: (one) => one.seed, maxLength: 60 }),
        fc.nat(),
        (seeds, other) => {
          const entries = seeds.map(({ seed, offset, size }) => ({
            hash: hashBytes(`${seed}`),
            offset,
            size,
          }));
          const built = parseIndexFile(
            encodeIndexFile({ index: buildIndex(entries), packLength: 2 ** 40, synced: false }),
          )?.index;
          if (built === undefined) return false;
          expect([...listEntries(built)]).toEqual([...entries].sort((a, b) => (a.hash < b.hash ? -1 : 1)));
          for (const { hash, offset, size } of entries)
            expect(findPlaces(built, hashToBytes(hash))).toEqual([{ offset, size }]);
          const absent = seeds.every(({ seed }) => seed !== other);
          return !absent || findPlaces(built, hashToBytes(hashBytes(`${other}`))).length === 0;
        },
      ),
    );
  });
});

test('a scan goes on over the borders of what it reads at once', () => {
  const disk = new MemoryDisk();
  const objects = Array.from({ length: 60 }, (_, at) => new Uint8Array(65_536 - at * 7).fill(at));
  const chunks = objects.flatMap((bytes) => [
    Buffer.from(`${hashBytes(bytes).slice(7)} ${bytes.length}\n`),
    bytes,
    Buffer.from('\n'),
  ]);
  disk.putFile(packPath, Buffer.concat(chunks));
  const { entries, end } = scanPack(disk, packPath, 0);
  expect(entries.map((entry) => entry.hash)).toEqual(objects.map((bytes) => hashBytes(bytes)));
  expect(end).toBe(disk.stat(packPath)?.size);
});

test('things in the folder that are no packs are left alone', () => {
  const disk = new MemoryDisk();
  disk.putFile(packPath, pack);
  disk.makeFolder('/objects/packs/folder.pack');
  disk.putLink('/objects/packs/link.pack', packPath);
  disk.putOther('/objects/packs/fifo.pack');
  disk.putFile('/objects/packs/notes.txt', 'x');
  disk.makeFolder(indexFilePath);
  expect(foundIn(new FileContent(disk, folder, { durable: true }))).toEqual(contents);
});

test('many packs: each object is found, and what is in none is not', async () => {
  const disk = new MemoryDisk();
  const words = Array.from({ length: 40 }, (_, at) => `pack ${at}`);
  for (const word of words) {
    const store = new FileContent(disk, folder, { durable: true });
    store.put(Buffer.from(word));
    await store.close();
  }
  const store = new FileContent(disk, folder, { durable: true });
  for (const word of words) {
    expect(store.get(hashBytes(word))).toEqual(new TextEncoder().encode(word));
    expect(store.has(hashBytes(`no ${word}`))).toBe(false);
  }
  const length = disk.list('/objects/packs')?.length;
  for (const word of words) store.put(Buffer.from(word));
  await store.close();
  expect(disk.list('/objects/packs')).toHaveLength(length ?? 0);
});

test('a pack that fills while it is synced keeps what came meanwhile', async () => {
  const disk = new MemoryDisk();
  const store = new FileContent(disk, folder, { durable: true });
  // So many that the pack is full when a few more have come.
  for (let count = 0; count < 99_995; count++) store.put(Buffer.from(`early ${count}`));
  const flushed = store.flush();
  let late: Hash[] = [];
  disk.watch(({ operation }, when) => {
    if (operation !== 'sync' || when !== 'before' || late.length > 0) return;
    late = Array.from({ length: 20 }, (_, count) => store.put(Buffer.from(`late ${count}`)));
  });
  await flushed;
  await store.flush();
  await store.close();
  const next = new FileContent(disk.crash(), folder, { durable: true });
  expect(late).toHaveLength(20);
  expect(late.filter((hash) => !(next.get(hash) instanceof Uint8Array))).toEqual([]);
});

test('an index file beyond all measure is not read', () => {
  const disk = new MemoryDisk();
  disk.putFile(packPath, pack);
  disk.putFile(indexFilePath, new Uint8Array(65 * 1024 * 1024));
  expect(foundIn(new FileContent(disk, folder, { durable: true }))).toEqual(contents);
});
