import { type Hash, hashBytes } from '../../../base/hash.ts';
import { type Ids, systemIds } from '../../../base/ids.ts';
import { type Disk, DiskError } from '../../../disk/disk.ts';
import type { HashedFile } from '../../../disk/hash-file.ts';
import type { ContentStore } from '../../content.ts';
import { LooseObjects } from './loose-objects.ts';
import { packedBytesMax } from './object-name.ts';
import { PackedObjects } from './packed-objects.ts';
import { awaitAll, StoreFolders } from './store-folders.ts';

export interface FileContentOptions {
  /** A resolved flush survives a power cut, and not only the end of the process. */
  readonly durable: boolean;
  readonly ids?: Ids;
}

/** Content in a folder of this machine (`docs/formats/objects.md`): small objects in packs, large ones in files of their own. */
export class FileContent implements ContentStore {
  readonly #disk: Disk;
  readonly #durable: boolean;
  readonly #folders: StoreFolders;
  readonly #packed: PackedObjects;
  readonly #loose: LooseObjects;
  /** Something was put that no flush has taken up yet. */
  #unflushed = false;
  #running: Promise<void> | undefined;
  #queued: Promise<void> | undefined;
  #failure: DiskError | undefined;
  #closed = false;

  constructor(disk: Disk, folder: string, options: FileContentOptions) {
    const ids = options.ids ?? systemIds;
    this.#disk = disk;
    this.#durable = options.durable;
    this.#folders = new StoreFolders(disk, folder);
    this.#packed = new PackedObjects(disk, this.#folders, ids, options.durable);
    this.#loose = new LooseObjects(disk, this.#folders, ids);
  }

  put(bytes: Uint8Array, hash = hashBytes(bytes)): Hash {
    if (!this.#mayWrite()) return hash;
    try {
      const objects = bytes.length > packedBytesMax ? this.#loose : this.#packed;
      if (objects.put(hash, bytes)) this.#unflushed = true;
    } catch (error) {
      this.#fail(error);
    }
    return hash;
  }

  async putFile(path: string, sizeBytesMax = Number.MAX_SAFE_INTEGER): Promise<HashedFile | undefined> {
    const size = this.#disk.stat(path)?.size ?? 0;
    if (size > sizeBytesMax) throw new DiskError('EFBIG', 'read', path);
    if (size <= packedBytesMax) {
      const bytes = this.#disk.read(path, sizeBytesMax);
      return bytes && { hash: this.put(bytes), size: bytes.length };
    }
    if (!this.#mayWrite()) throw this.#failure;
    const stored = await this.#loose.putFile(path, sizeBytesMax);
    if (stored !== undefined) this.#unflushed = true;
    return stored;
  }

  has(hash: Hash): boolean {
    if (this.#packed.has(hash) || this.#loose.has(hash)) return true;
    return this.#packed.refresh() && this.#packed.has(hash);
  }

  get(hash: Hash): Uint8Array | 'damaged' | undefined {
    const found = this.#firstGood(hash);
    if (found instanceof Uint8Array) return found;
    return this.#packed.refresh() ? this.#firstGood(hash) : found;
  }

  recall(hash: Hash): Uint8Array | undefined {
    return this.#packed.recall(hash);
  }

  flush(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (!this.#unflushed) return this.#running ?? Promise.resolve();
    this.#queued ??= this.#commitAfter(this.#running);
    return this.#queued;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    try {
      if (this.#failure === undefined) {
        await this.flush();
        this.#packed.close();
      }
    } finally {
      this.#packed.abandon();
      this.#loose.abandon();
    }
  }

  async #commitAfter(running: Promise<void> | undefined): Promise<void> {
    await running;
    this.#running = this.#queued;
    this.#queued = undefined;
    try {
      await this.#commit();
    } catch (error) {
      this.#fail(error);
      throw error;
    } finally {
      this.#running = undefined;
    }
  }

  async #commit(): Promise<void> {
    this.#unflushed = false;
    const packs = this.#packed.write();
    const drafts = this.#loose.waiting();
    if (this.#durable) {
      await awaitAll([
        ...packs.map((pack) => pack.sync()),
        ...drafts.map((draft) => this.#loose.sync(draft)),
      ]);
    }
    this.#loose.place(drafts);
    if (this.#durable) await this.#folders.sync();
    this.#packed.finish(packs);
  }

  #firstGood(hash: Hash): Uint8Array | 'damaged' | undefined {
    let damaged = false;
    for (const bytes of this.#packed.copies(hash)) {
      if (hashBytes(bytes) === hash) return bytes;
      damaged = true;
    }
    const loose = this.#loose.read(hash);
    if (loose instanceof Uint8Array && hashBytes(loose) === hash) return loose;
    return damaged || loose !== undefined ? 'damaged' : undefined;
  }

  #mayWrite(): boolean {
    if (this.#closed) throw new Error('the content store is closed');
    return this.#failure === undefined;
  }

  #fail(error: unknown): void {
    if (!(error instanceof DiskError)) throw error;
    this.#failure ??= error;
  }
}
