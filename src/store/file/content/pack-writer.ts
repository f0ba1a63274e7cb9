import { basename } from 'node:path';
import type { Hash } from '../../../base/hash.ts';
import type { Disk, OpenFile } from '../../../disk/disk.ts';
import { replaceFileNow, writeAll } from '../../../disk/write.ts';
import { encodeIndexFile, type IndexFile, type Place } from './pack-index.ts';
import { recordHeader } from './pack-record.ts';
import { PlaceTable } from './place-table.ts';

/** A pack that this process writes, alone and only at its end. Objects wait in memory until `write`. */
export class PackWriter {
  readonly path: string;
  readonly #disk: Disk;
  readonly #file: OpenFile;
  readonly #places = new PlaceTable();
  /** The end of the pack: what waits to be written, and before it what was written lately. */
  #window = Buffer.allocUnsafe(windowBytesAtFirst);
  /** Where in the pack the window begins. */
  #windowStart = 0;
  /** How long the pack is with what waits. */
  #length = 0;
  #writtenBytes = 0;
  #syncedBytes = 0;

  constructor(disk: Disk, path: string) {
    this.#disk = disk;
    this.path = path;
    // Created so that no other process writes it; opened again because only an appending file syncs data alone.
    disk.create(path).close();
    this.#file = disk.append(path);
  }

  get name(): string {
    return basename(this.path);
  }

  isFull(): boolean {
    return this.#length >= packBytesMax || this.#places.size >= packObjectsMax;
  }

  /** Nothing waits; and all of it is synced, where that is wanted. */
  isSafe(durable: boolean): boolean {
    return this.#writtenBytes === this.#length && (!durable || this.#syncedBytes === this.#writtenBytes);
  }

  has(hash: Hash): boolean {
    return this.#places.find(hash) !== undefined;
  }

  /** The bytes as they were put, whether they are written yet or not. The caller proves them. */
  read(hash: Hash): Uint8Array | undefined {
    const place = this.#places.find(hash);
    if (place === undefined) return undefined;
    if (place.offset < this.#writtenBytes) return this.#disk.readRange(this.path, place.offset, place.size);
    return this.#copyOf(place);
  }

  /** A copy of bytes that have not left the memory yet: of what waits, and of what was written lately. */
  recall(hash: Hash): Uint8Array | undefined {
    const place = this.#places.find(hash);
    return place === undefined || place.offset < this.#windowStart ? undefined : this.#copyOf(place);
  }

  /** Copies the bytes: the caller may use its buffer again. Writes only when too much is waiting. */
  append(hash: Hash, bytes: Uint8Array): void {
    const header = recordHeader(hash, bytes.length);
    const recordBytes = header.length + bytes.length + 1;
    if (this.#length - this.#writtenBytes + recordBytes > pendingBytesMax) this.write();
    this.#makeRoom(recordBytes);
    const at = this.#length - this.#windowStart;
    const start = at + header.length;
    this.#window.write(header, at, 'latin1');
    this.#window.set(bytes, start);
    this.#window[start + bytes.length] = newline;
    this.#places.add(hash, this.#windowStart + start, bytes.length);
    this.#length += recordBytes;
  }

  write(): void {
    if (this.#writtenBytes === this.#length) return;
    const pending = this.#window.subarray(
      this.#writtenBytes - this.#windowStart,
      this.#length - this.#windowStart,
    );
    writeAll(this.#file, pending, this.path);
    this.#writtenBytes = this.#length;
  }

  async sync(): Promise<void> {
    const bytes = this.#writtenBytes;
    if (bytes === this.#syncedBytes) return;
    await this.#file.sync();
    this.#syncedBytes = bytes;
  }

  /** What the index of everything written so far says. */
  index(synced: boolean): IndexFile {
    return { index: this.#places.index(), packLength: this.#writtenBytes, synced };
  }

  close(): void {
    this.#file.close();
  }

  #copyOf({ offset, size }: Place): Uint8Array {
    const start = offset - this.#windowStart;
    return new Uint8Array(this.#window.subarray(start, start + size));
  }

  /** Forgets what was written longest ago. The window is twice as large as what has to stay, so that it seldom moves. */
  #makeRoom(bytes: number): void {
    if (this.#length + bytes - this.#windowStart <= this.#window.length) return;
    const keptFrom = Math.max(this.#windowStart, Math.min(this.#writtenBytes, this.#length - recentBytesMax));
    const kept = this.#window.subarray(keptFrom - this.#windowStart, this.#length - this.#windowStart);
    const roomBytes = (kept.length + bytes) * 2;
    const window = roomBytes > this.#window.length ? Buffer.allocUnsafe(roomBytes) : this.#window;
    window.set(kept);
    this.#window = window;
    this.#windowStart = keptFrom;
  }
}

/** Not synced: an index that a power cut garbled is seen by its checksum, and the pack is scanned instead. */
export function writeIndex(disk: Disk, packPath: string, file: IndexFile): void {
  replaceFileNow(disk, indexPath(packPath), encodeIndexFile(file));
}

export function indexPath(packPath: string): string {
  return packPath.replace(/\.pack$/, '.idx');
}

const packBytesMax = 256 * 1024 * 1024;
/** Bounds what is kept in memory for one pack when its objects are tiny. */
const packObjectsMax = 100_000;
const windowBytesAtFirst = 64 * 1024;
/** Outputs that a later step reads at once come from memory: some hundred small ones. */
const recentBytesMax = 1024 * 1024;
const pendingBytesMax = 8 * 1024 * 1024;
const newline = 0x0a;
