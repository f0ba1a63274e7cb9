import { checksum, type Hash } from '../../../base/hash.ts';
import type { PackEntry } from './pack-record.ts';

/** Sorted records of one size, searched where they lie: opening a store builds nothing per object. */
export interface PackIndex {
  readonly records: Buffer;
  readonly count: number;
}

/** What an index file says of its pack. `docs/formats/objects.md` describes the file. */
export interface IndexFile {
  readonly index: PackIndex;
  /** How much of the pack it covers. */
  readonly packLength: number;
  /** The pack's writer had synced all of that. */
  readonly synced: boolean;
}

export interface Place {
  readonly offset: number;
  readonly size: number;
}

export const emptyIndex: PackIndex = { records: Buffer.alloc(0), count: 0 };

/** Every place where the index has the object of this key (`keyOf` its hash): nearly always none or one. */
export function findPlaces(index: PackIndex, key: Buffer): readonly Place[] {
  const { records, count } = index;
  const prefix = key.readUInt32BE();
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (prefixAt(index, middle) < prefix) low = middle + 1;
    else high = middle;
  }
  if (low === count || prefixAt(index, low) !== prefix) return nowhere;
  const places: Place[] = [];
  for (; low < count && prefixAt(index, low) === prefix; low++) {
    const at = low * recordBytes;
    if (records.compare(key, 0, keyBytes, at, at + keyBytes) === 0) places.push(placeAt(records, at));
  }
  return places;
}

export function* listEntries(index: PackIndex): Iterable<PackEntry> {
  for (let at = 0; at < index.records.length; at += recordBytes) {
    const hash: Hash = `sha256:${index.records.toString('hex', at, at + keyBytes)}`;
    yield { hash, ...placeAt(index.records, at) };
  }
}

/** The first four bytes of the hash of a record, as a number. */
export function prefixAt(index: PackIndex, record: number): number {
  return index.records.readUInt32BE(record * recordBytes);
}

export function encodeIndexFile(file: IndexFile): Uint8Array {
  const { index, packLength, synced } = file;
  const header = Buffer.from(`pawl-index 1 ${index.count} ${packLength} ${synced ? 'synced' : 'unsynced'}\n`);
  const body = Buffer.concat([header, index.records]);
  return Buffer.concat([body, Buffer.from(checksum(body))]);
}

/** Undefined for anything that is not a whole index of this version: the pack is scanned instead. */
export function parseIndexFile(bytes: Uint8Array): IndexFile | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const headerEnd = file.subarray(0, headerBytesMax).indexOf('\n');
  const header = /^pawl-index 1 (\d{1,9}) (\d{1,15}) (synced|unsynced)$/.exec(
    file.subarray(0, Math.max(0, headerEnd)).toString('latin1'),
  );
  if (header === null) return undefined;
  const count = Number(header[1]);
  const recordsEnd = headerEnd + 1 + count * recordBytes;
  if (file.length !== recordsEnd + checksumBytes) return undefined;
  if (checksum(file.subarray(0, recordsEnd)) !== file.subarray(recordsEnd).toString('latin1')) {
    return undefined;
  }
  return {
    index: { records: file.subarray(headerEnd + 1, recordsEnd), count },
    packLength: Number(header[2]),
    synced: header[3] === 'synced',
  };
}

const nowhere: readonly Place[] = [];

export function placeAt(records: Buffer, at: number): Place {
  const offset = records.readUIntBE(at + keyBytes, offsetBytes);
  return { offset, size: records.readUInt32BE(at + keyBytes + offsetBytes) };
}

/** A record: the hash's bytes, where the object stands, how large it is. */
export const keyBytes = 32;
export const offsetBytes = 6;
const sizeBytes = 4;
export const recordBytes = keyBytes + offsetBytes + sizeBytes;
const checksumBytes = 12;
const headerBytesMax = 64;
