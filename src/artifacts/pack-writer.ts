import { basename } from 'node:path';
import type { Hash } from '../base/hash.ts';
import type { Disk, OpenFile } from '../disk/disk.ts';
import { replaceFileNow, writeAll } from '../disk/write.ts';
import { encodeIndexFile, type IndexFile } from './pack-index.ts';
import { recordHeader } from './pack-record.ts';
import { PlaceTable } from './place-table.ts';

/** A pack that this process writes, alone and only at its end. Objects wait in memory until `write`. */
export class PackWriter {
  readonly path: string;
  readonly #disk: Disk;
  readonly #file: OpenFile;
  readonly #places = new PlaceTable();
  #pending = Buffer.allocUnsafe(pendingBytesAtFirst);
  #pendingBytes = 0;
  #writtenBytes = 0;
  /** What the last write wrote, and where in the pack it begins. The two buffers take turns. */
  #newest = Buffer.allocUnsafe(pendingBytesAtFirst);
  #newestStart = 0;
  #syncedBytes = 0;

  constructor(disk: Disk, path: string) {
    this.#disk = disk;
    this.path = path;
    // Created to be sure that nobody else writes it; opened anew because only an appending file syncs data alone.
    disk.create(path).close();
    this.#file = disk.append(path);
  }

  get name(): string {
    return basename(this.path);
  }

  isFull(): boolean {
    return this.#writtenBytes + this.#pendingBytes >= packBytesMax || this.#places.size >= packObjectsMax;
  }

  /** Nothing waits; and all of it is synced, where that is wanted. */
  isSafe(durable: boolean): boolean {
    return this.#pendingBytes === 0 && (!durable || this.#syncedBytes === this.#writtenBytes);
  }

  has(hash: Hash): boolean {
    return this.#places.find(hash) !== undefined;
  }

  /** The bytes as they were put, whether they are written yet or not. The caller proves them. */
  read(hash: Hash): Uint8Array | undefined {
    const place = this.#places.find(hash);
    if (place === undefined) return undefined;
    if (place.offset < this.#writtenBytes) return this.#disk.readRange(this.path, place.offset, place.size);
    const start = place.offset - this.#writtenBytes;
    return new Uint8Array(this.#pending.subarray(start, start + place.size));
  }

  /** A copy of bytes that have not left the memory yet: of what waits, and of what was written last. */
  recall(hash: Hash): Uint8Array | undefined {
    const place = this.#places.find(hash);
    if (place === undefined || place.offset < this.#newestStart) return undefined;
    const isPending = place.offset >= this.#writtenBytes;
    const start = place.offset - (isPending ? this.#writtenBytes : this.#newestStart);
    return new Uint8Array((isPending ? this.#pending : this.#newest).subarray(start, start + place.size));
  }

  /** Copies the bytes: the caller may use its buffer again. Writes only when too much is waiting. */
  append(hash: Hash, bytes: Uint8Array): void {
    const header = recordHeader(hash, bytes.length);
    const recordBytes = header.length + bytes.length + 1;
    if (this.#pendingBytes + recordBytes > pendingBytesMax) this.write();
    this.#makeRoom(recordBytes);
    const pending = this.#pending;
    const start = this.#pendingBytes + header.length;
    pending.write(header, this.#pendingBytes, 'latin1');
    pending.set(bytes, start);
    pending[start + bytes.length] = newline;
    this.#places.add(hash, this.#writtenBytes + start, bytes.length);
    this.#pendingBytes += recordBytes;
  }

  write(): void {
    if (this.#pendingBytes === 0) return;
    writeAll(this.#file, this.#pending.subarray(0, this.#pendingBytes), this.path);
    [this.#pending, this.#newest] = [this.#newest, this.#pending];
    this.#newestStart = this.#writtenBytes;
    this.#writtenBytes += this.#pendingBytes;
    this.#pendingBytes = 0;
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

  #makeRoom(bytes: number): void {
    const needed = this.#pendingBytes + bytes;
    if (needed <= this.#pending.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#pending.length * 2));
    larger.set(this.#pending.subarray(0, this.#pendingBytes));
    this.#pending = larger;
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
const pendingBytesAtFirst = 64 * 1024;
const pendingBytesMax = 8 * 1024 * 1024;
const newline = 0x0a;
