import { join } from 'node:path';
import type { Hash } from '../../../base/hash.ts';
import { hashToBytes } from '../../../base/hash.ts';
import type { Disk } from '../../../disk/disk.ts';
import { isUnreadable } from '../../../disk/unreadable.ts';
import { hexOf } from './object-name.ts';
import {
  emptyIndex,
  findPlaces,
  type IndexFile,
  listEntries,
  type PackIndex,
  parseIndexFile,
  prefixAt,
} from './pack-index.ts';
import { type PackEntry, scanPack } from './pack-record.ts';
import { indexPath, writeIndex } from './pack-writer.ts';
import { buildIndex } from './place-table.ts';

/** A copy of an object in some pack. */
export interface PackedCopy {
  readonly path: string;
  readonly offset: number;
  readonly size: number;
  /** Its writer had synced it. Bytes that are only seen in the cache of the kernel are gone after a power cut. */
  readonly synced: boolean;
}

/** The packs of other processes, and those that this one is done with. Read when they are first asked for. */
export class PackSet {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #packs = new Map<string, Pack>();
  readonly #ignored = new Set<string>();
  #loaded = false;
  #filter: PrefixFilter | undefined;

  constructor(disk: Disk, folder: string) {
    this.#disk = disk;
    this.#folder = folder;
  }

  /** This pack is still being written here: its writer knows more of it than its file. */
  ignore(name: string): void {
    this.#ignored.add(name);
  }

  /** Takes over a pack whose writer is done with it. */
  add(name: string, file: IndexFile): void {
    this.#packs.set(name, packOf(join(this.#folder, name), file));
    this.#filter = undefined;
  }

  /** Every copy that was there when the packs were last looked at. */
  find(hash: Hash): PackedCopy[] {
    if (!this.#loaded) this.refresh();
    if (this.#packs.size === 0) return [];
    if (this.#packs.size > packsSearchedMax) {
      this.#filter ??= buildFilter([...this.#packs.values()]);
      if (!mayHold(this.#filter, hash)) return [];
    }
    const key = hashToBytes(hash);
    const copies: PackedCopy[] = [];
    for (const { path, sealed, tail, synced } of this.#packs.values()) {
      for (const place of findPlaces(sealed, key)) copies.push({ path, ...place, synced });
      for (const place of findPlaces(tail, key)) copies.push({ path, ...place, synced: false });
    }
    return copies;
  }

  /** Looks for packs that are new and packs that have grown. True when there were any. */
  refresh(): boolean {
    let changed = false;
    this.#loaded = true;
    for (const name of this.#disk.list(this.#folder) ?? []) {
      if (!packName.test(name) || this.#ignored.has(name)) continue;
      try {
        if (this.#refreshOne(name)) changed = true;
      } catch (error) {
        if (!isUnreadable(error)) throw error;
      }
    }
    if (changed) this.#filter = undefined;
    return changed;
  }

  /** Leaves an index for packs whose writer left none, so that the next process need not scan them. */
  writeMissingIndexes(): void {
    for (const pack of this.#packs.values()) {
      if (pack.scanned.length === 0 || pack.synced) continue;
      // Its writer may have closed it since.
      if (this.#readIndex(pack.path, Number.POSITIVE_INFINITY).packLength >= pack.end) continue;
      const index = buildIndex([...listEntries(pack.sealed), ...pack.scanned]);
      // Never `synced`: only the writer of a pack knows.
      writeIndex(this.#disk, pack.path, { index, packLength: pack.end, synced: false });
    }
  }

  #refreshOne(name: string): boolean {
    const path = join(this.#folder, name);
    const stat = this.#disk.stat(path);
    if (stat?.kind !== 'file') return false;
    const known = this.#packs.get(name);
    if (known !== undefined && stat.size === known.seenBytes) return false;
    const pack = known ?? packOf(path, this.#readIndex(path, stat.size));
    const scan = stat.size > pack.end ? scanPack(this.#disk, path, pack.end) : { entries: [], end: pack.end };
    // What was found behind the first doubtful place is found again, and maybe as something else.
    const certain = pack.scanned.filter((entry) => entry.offset < pack.end);
    const scanned = [...certain, ...scan.entries];
    const tail = buildIndex(scanned);
    this.#packs.set(name, { ...pack, scanned, tail, end: scan.end, seenBytes: stat.size });
    return true;
  }

  #readIndex(path: string, packBytes: number): IndexFile {
    try {
      const bytes = this.#disk.read(indexPath(path), indexBytesMax);
      const file = bytes === undefined ? undefined : parseIndexFile(bytes);
      // An index of more than there is: the pack was cut, and only the pack can say where.
      if (file !== undefined && file.packLength <= packBytes) return file;
    } catch (error) {
      if (!isUnreadable(error)) throw error;
    }
    return { index: emptyIndex, packLength: 0, synced: false };
  }
}

interface Pack {
  readonly path: string;
  /** What its index file covers. */
  readonly sealed: PackIndex;
  readonly synced: boolean;
  /** What had to be found by scanning, behind that. */
  readonly scanned: readonly PackEntry[];
  readonly tail: PackIndex;
  /** Up to here everything is known for good. */
  readonly end: number;
  readonly seenBytes: number;
}

function packOf(path: string, file: IndexFile): Pack {
  const { index, packLength, synced } = file;
  return {
    path,
    sealed: index,
    synced,
    scanned: [],
    tail: emptyIndex,
    end: packLength,
    seenBytes: packLength,
  };
}

/**
 * One bit for each prefix of a hash that some pack holds: with many packs a miss, which nearly every put is, costs one
 * look. Building it costs more than searching a few packs does.
 */
interface PrefixFilter {
  readonly bits: Uint8Array;
  readonly prefixBits: number;
}

function buildFilter(packs: readonly Pack[]): PrefixFilter {
  const indexes = packs.flatMap((pack) => [pack.sealed, pack.tail]);
  const count = indexes.reduce((sum, index) => sum + index.count, 0);
  // 32 bits per object: about one miss in thirty is searched for in vain.
  const prefixBits = Math.min(prefixBitsMax, Math.max(prefixBitsMin, Math.ceil(Math.log2(count * 32 + 1))));
  const bits = new Uint8Array(2 ** (prefixBits - 3));
  for (const index of indexes) {
    for (let record = 0; record < index.count; record++) {
      const bit = prefixAt(index, record) >>> (32 - prefixBits);
      bits[bit >>> 3] = (bits[bit >>> 3] ?? 0) | (1 << (bit & 7));
    }
  }
  return { bits, prefixBits };
}

function mayHold(filter: PrefixFilter, hash: Hash): boolean {
  const bit = Number.parseInt(hexOf(hash).slice(0, 8), 16) >>> (32 - filter.prefixBits);
  return ((filter.bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0;
}

const packsSearchedMax = 8;
const prefixBitsMin = 10;
const prefixBitsMax = 30;
const packName = /^[a-z0-9]{1,64}\.pack$/;
const indexBytesMax = 64 * 1024 * 1024;
