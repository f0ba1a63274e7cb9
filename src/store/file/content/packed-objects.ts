import { join } from 'node:path';
import type { Hash } from '../../../base/hash.ts';
import type { Ids } from '../../../base/ids.ts';
import { type Disk, DiskError } from '../../../disk/disk.ts';
import { isUnreadable } from '../../../disk/unreadable.ts';
import { PackWriter, writeIndex } from './pack-writer.ts';
import { type PackedCopy, PackSet } from './packs.ts';
import type { StoreFolders } from './store-folders.ts';

/** The small objects of a store: a pack of this process's own to write to, everybody's to read from. */
export class PackedObjects {
  readonly #disk: Disk;
  readonly #folders: StoreFolders;
  readonly #folder: string;
  readonly #ids: Ids;
  readonly #durable: boolean;
  readonly #others: PackSet;
  #pack: PackWriter | undefined;
  /** Full packs whose last bytes the next flush writes. */
  #full: PackWriter[] = [];

  constructor(disk: Disk, folders: StoreFolders, ids: Ids, durable: boolean) {
    this.#disk = disk;
    this.#folders = folders;
    this.#folder = join(folders.root, 'packs');
    this.#ids = ids;
    this.#durable = durable;
    this.#others = new PackSet(disk, this.#folder);
  }

  /** False: it is in the store already, as safe as this store would make it. */
  put(hash: Hash, bytes: Uint8Array): boolean {
    if (this.#ownWith(hash) !== undefined) return false;
    if (this.#others.find(hash).some((copy) => this.#isAsSafe(copy, bytes))) return false;
    this.#writer().append(hash, bytes);
    return true;
  }

  has(hash: Hash): boolean {
    return this.#ownWith(hash) !== undefined || this.#others.find(hash).length > 0;
  }

  /** What was put here so lately that it need not be read. */
  recall(hash: Hash): Uint8Array | undefined {
    return this.#pack?.recall(hash);
  }

  /** The bytes of every copy, not proven; a copy that cannot be read is an empty one. */
  *copies(hash: Hash): Iterable<Uint8Array> {
    const own = this.#ownWith(hash);
    if (own !== undefined) yield this.#reading(() => own.read(hash));
    for (const copy of this.#others.find(hash)) yield this.#read(copy);
  }

  /** True when other processes have put something since it was last looked. */
  refresh(): boolean {
    return this.#others.refresh();
  }

  /** Hands everything that waits to the system, and says what has to be synced and done after that. */
  write(): readonly PackWriter[] {
    const packs = this.#pack === undefined ? this.#full : [...this.#full, this.#pack];
    for (const pack of packs) pack.write();
    return packs;
  }

  /** These packs were written and synced. Those that are full, and got nothing more meanwhile, are done with. */
  finish(packs: readonly PackWriter[]): void {
    if (this.#full.length === 0) return;
    const done = this.#full.filter((pack) => packs.includes(pack) && pack.isSafe(this.#durable));
    for (const pack of done) this.#seal(pack);
    this.#full = this.#full.filter((pack) => !done.includes(pack));
  }

  /** After a flush. A store that wrote nothing leaves nothing behind. */
  close(): void {
    if (this.#pack === undefined) return;
    this.#seal(this.#pack);
    this.#pack = undefined;
    this.#ignoringDisk(() => this.#others.writeMissingIndexes());
  }

  /** Closes the files of a store that failed: what they hold is for the next scan to find. */
  abandon(): void {
    for (const pack of [...this.#full, ...(this.#pack === undefined ? [] : [this.#pack])]) pack.close();
    this.#pack = undefined;
    this.#full = [];
  }

  #ownWith(hash: Hash): PackWriter | undefined {
    if (this.#pack?.has(hash)) return this.#pack;
    return this.#full.length === 0 ? undefined : this.#full.find((pack) => pack.has(hash));
  }

  /** The bytes are compared: an object that was damaged is put again, or running a phase again would not heal it. */
  #isAsSafe(copy: PackedCopy, bytes: Uint8Array): boolean {
    return (copy.synced || !this.#durable) && Buffer.compare(this.#read(copy), bytes) === 0;
  }

  #read(copy: PackedCopy): Uint8Array {
    return this.#reading(() => this.#disk.readRange(copy.path, copy.offset, copy.size));
  }

  #reading(read: () => Uint8Array | undefined): Uint8Array {
    try {
      return read() ?? nothing;
    } catch (error) {
      if (isUnreadable(error)) return nothing;
      throw error;
    }
  }

  #writer(): PackWriter {
    if (this.#pack?.isFull()) {
      this.#full.push(this.#pack);
      this.#pack = undefined;
    }
    if (this.#pack === undefined) {
      const name = `${this.#ids.random(16)}.pack`;
      this.#folders.make(this.#folder);
      this.#folders.noteNewName(this.#folder);
      this.#pack = new PackWriter(this.#disk, join(this.#folder, name));
      this.#others.ignore(name);
    }
    return this.#pack;
  }

  #seal(pack: PackWriter): void {
    const file = pack.index(this.#durable);
    pack.close();
    this.#ignoringDisk(() => writeIndex(this.#disk, pack.path, file));
    this.#others.add(pack.name, file);
  }

  /** An index only saves a scan: that it cannot be written is no trouble of the store. */
  #ignoringDisk(action: () => void): void {
    try {
      action();
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
    }
  }
}

const nothing = new Uint8Array(0);
