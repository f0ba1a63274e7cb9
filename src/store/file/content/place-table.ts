import { endianness } from 'node:os';
import type { Hash } from '../../../base/hash.ts';
import { hashToBytes } from '../../../base/hash.ts';
import { hexOf } from './object-name.ts';
import { keyBytes, offsetBytes, type PackIndex, type Place, placeAt, recordBytes } from './pack-index.ts';
import type { PackEntry } from './pack-record.ts';

export function buildIndex(entries: Iterable<PackEntry>): PackIndex {
  const places = new PlaceTable();
  for (const { hash, offset, size } of entries) places.add(hash, offset, size);
  return places.index();
}

/**
 * Where objects stand, as it grows. Records of an index in the order of their coming, with a table of where to look for
 * them: outside of the heap, for there may be a hundred thousand, and a collector would copy each of them twice.
 */
export class PlaceTable {
  #records = Buffer.allocUnsafe(recordsAtFirst * recordBytes);
  #count = 0;
  /** A record's number, from 1, at or behind the slot that its first bytes name; 0: nothing more. */
  #slots = new Uint32Array(recordsAtFirst * 2);

  get size(): number {
    return this.#count;
  }

  /** The first of that hash. */
  find(hash: Hash): Place | undefined {
    const slots = this.#slots;
    const prefix = prefixOf(hash);
    let key: Buffer | undefined;
    for (let slot = prefix & (slots.length - 1); slots[slot] !== 0; slot = (slot + 1) & (slots.length - 1)) {
      const at = ((slots[slot] ?? 1) - 1) * recordBytes;
      if (this.#records.readUInt32BE(at) !== prefix) continue;
      key ??= hashToBytes(hash);
      if (this.#records.compare(key, 0, keyBytes, at, at + keyBytes) === 0) return placeAt(this.#records, at);
    }
    return undefined;
  }

  add(hash: Hash, offset: number, size: number): void {
    if ((this.#count + 1) * recordBytes > this.#records.length) this.#grow();
    const at = this.#count * recordBytes;
    this.#records.write(hexOf(hash), at, 'hex');
    this.#records.writeUIntBE(offset, at + keyBytes, offsetBytes);
    this.#records.writeUInt32BE(size, at + keyBytes + offsetBytes);
    this.#count += 1;
    this.#enter(this.#count);
  }

  /** Everything up to now, in the order of the hashes. */
  index(): PackIndex {
    return { records: sortRecords(this.#records, this.#count), count: this.#count };
  }

  #enter(record: number): void {
    const slots = this.#slots;
    let slot = this.#records.readUInt32BE((record - 1) * recordBytes) & (slots.length - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = record;
  }

  /** At least half of the slots stay free, so that a search ends soon. */
  #grow(): void {
    const records = Buffer.allocUnsafe(this.#records.length * 2);
    this.#records.copy(records);
    this.#records = records;
    this.#slots = new Uint32Array(this.#slots.length * 2);
    for (let record = 1; record <= this.#count; record++) this.#enter(record);
  }
}

/** The first bytes of each record with its number behind them, sorted as numbers: no comparison has to be called for. */
function sortRecords(records: Buffer, count: number): Buffer {
  const keys = new BigUint64Array(count);
  const halves = new Uint32Array(keys.buffer);
  for (let record = 0; record < count; record++) {
    halves[record * 2 + upperHalf] = records.readUInt32BE(record * recordBytes);
    halves[record * 2 + lowerHalf] = record;
  }
  keys.sort();
  const sorted = Buffer.allocUnsafe(count * recordBytes);
  for (let place = 0; place < count; place++) {
    const from = (halves[place * 2 + lowerHalf] ?? 0) * recordBytes;
    records.copy(sorted, place * recordBytes, from, from + recordBytes);
  }
  for (let place = 1; place < count; place++) sinkAmongEqual(sorted, place);
  return sorted;
}

/** Moves a record in front of those that begin like it and belong behind it: there is hardly ever one. */
function sinkAmongEqual(sorted: Buffer, place: number): void {
  for (let at = place * recordBytes; at > 0; at -= recordBytes) {
    const before = at - recordBytes;
    if (sorted.readUInt32BE(before) !== sorted.readUInt32BE(at)) return;
    if (sorted.compare(sorted, at, at + keyBytes, before, before + keyBytes) <= 0) return;
    const moved = Buffer.from(sorted.subarray(at, at + recordBytes));
    sorted.copyWithin(at, before, at);
    moved.copy(sorted, before);
  }
}

function prefixOf(hash: Hash): number {
  return Number.parseInt(hexOf(hash).slice(0, 8), 16);
}

const recordsAtFirst = 256;
/** Of a number of 64 bits on this machine. */
const lowerHalf = endianness() === 'LE' ? 0 : 1;
const upperHalf = 1 - lowerHalf;
