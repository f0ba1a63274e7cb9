import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Hash } from '../../../base/hash.ts';
import { listEntries } from './pack-index.ts';
import { PlaceTable } from './place-table.ts';

// Few beginnings and few ends: most of them meet in a slot, and many begin alike.
const hashes = fc
  .tuple(fc.constantFrom('00000000', '000000ff', '0000ff00', 'ffffffff'), fc.integer({ min: 0, max: 40 }))
  .map(([start, end]): Hash => `sha256:${start}${String(end).padStart(56, '0')}`);

describe('a table of places', () => {
  test('knows of each hash what a map would, whatever they have in common', () => {
    fc.assert(
      fc.property(fc.array(hashes, { maxLength: 200 }), hashes, (added, other) => {
        const table = new PlaceTable();
        const first = new Map<Hash, number>();
        for (const [at, hash] of added.entries()) {
          if (!first.has(hash)) first.set(hash, at);
          table.add(hash, at, at + 1);
        }
        for (const hash of [...added, other]) {
          const at = first.get(hash);
          expect(table.find(hash)).toEqual(at === undefined ? undefined : { offset: at, size: at + 1 });
        }
        expect(table.size).toBe(added.length);
      }),
    );
  });

  test('gives every record in the order of the hashes', () => {
    fc.assert(
      fc.property(fc.uniqueArray(hashes, { maxLength: 160 }), (added) => {
        const table = new PlaceTable();
        for (const [at, hash] of added.entries()) table.add(hash, at * 2 ** 20, at);
        const expected = added
          .map((hash, at) => ({ hash, offset: at * 2 ** 20, size: at }))
          .sort((a, b) => (a.hash < b.hash ? -1 : 1));
        expect([...listEntries(table.index())]).toEqual(expected);
      }),
    );
  });

  test('grows, and goes on after it was asked for its index', () => {
    const table = new PlaceTable();
    const hash = (at: number): Hash =>
      `sha256:${((at * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0')}${'0'.repeat(56)}`;
    for (let at = 0; at < 3000; at++) {
      table.add(hash(at), at, 1);
      if (at % 1000 === 0) expect([...listEntries(table.index())]).toHaveLength(at + 1);
    }
    for (let at = 0; at < 3000; at++) expect(table.find(hash(at))).toEqual({ offset: at, size: 1 });
    expect(table.find(hash(3000))).toBeUndefined();
  });
});
