import { dirname, join } from 'node:path';
import type { Hash } from '../../../base/hash.ts';
import type { Ids } from '../../../base/ids.ts';
import { copyAndHash } from '../../../disk/copy-file.ts';
import type { Disk, OpenFile } from '../../../disk/disk.ts';
import { type HashedFile, hashFile } from '../../../disk/hash-file.ts';
import { isUnreadable } from '../../../disk/unreadable.ts';
import { newTempName, writeAll } from '../../../disk/write.ts';
import { looseName } from './object-name.ts';
import type { StoreFolders } from './store-folders.ts';

/** A large object whose bytes are written, and which is not synced or not under its own name yet. */
export interface Draft {
  readonly hash: Hash;
  readonly path: string;
  /** Open until it is synced: a file that is closed before may lose the news of a failed write. */
  file: OpenFile | undefined;
}

/** The large objects of a store, each a file of its own. */
export class LooseObjects {
  readonly #disk: Disk;
  readonly #folders: StoreFolders;
  readonly #ids: Ids;
  readonly #drafts = new Map<Hash, Draft>();

  constructor(disk: Disk, folders: StoreFolders, ids: Ids) {
    this.#disk = disk;
    this.#folders = folders;
    this.#ids = ids;
  }

  /** False: the flush that is due brings it. */
  put(hash: Hash, bytes: Uint8Array): boolean {
    if (this.#drafts.has(hash)) return false;
    if (this.#leanOnExisting(hash)) return true;
    const { path, file } = this.#createTemp();
    try {
      writeAll(file, bytes, path);
    } catch (error) {
      this.#discard(path, file);
      throw error;
    }
    this.#keep({ hash, path, file });
    return true;
  }

  async putFile(source: string, sizeBytesMax: number): Promise<HashedFile | undefined> {
    const { path, file } = this.#createTemp();
    let copied: HashedFile | undefined;
    try {
      copied = await copyAndHash(this.#disk, source, file, path, sizeBytesMax);
    } finally {
      if (copied === undefined) this.#discard(path, file);
    }
    if (copied === undefined) return undefined;
    if (this.#drafts.has(copied.hash) || this.#leanOnExisting(copied.hash)) this.#discard(path, file);
    else this.#keep({ hash: copied.hash, path, file });
    return copied;
  }

  has(hash: Hash): boolean {
    return this.#drafts.has(hash) || this.#disk.stat(this.#pathOf(hash))?.kind === 'file';
  }

  /** The bytes, not proven; `damaged` when they cannot be read. */
  read(hash: Hash): Uint8Array | 'damaged' | undefined {
    try {
      return this.#disk.read(this.#drafts.get(hash)?.path ?? this.#pathOf(hash));
    } catch (error) {
      if (isUnreadable(error)) return 'damaged';
      throw error;
    }
  }

  waiting(): readonly Draft[] {
    return [...this.#drafts.values()];
  }

  async sync(draft: Draft): Promise<void> {
    draft.file ??= this.#disk.append(draft.path);
    await draft.file.sync();
  }

  /** Gives drafts their own names. In durable mode only after their bytes are synced: a name promises content. */
  place(drafts: readonly Draft[]): void {
    for (const draft of drafts) {
      const path = this.#pathOf(draft.hash);
      this.#close(draft);
      this.#folders.make(dirname(path));
      if (draft.path !== path) this.#disk.rename(draft.path, path);
      this.#folders.noteNewName(dirname(path));
      this.#drafts.delete(draft.hash);
    }
  }

  /** Closes the files of a store that failed; temporary ones stay for `pawl gc`. */
  abandon(): void {
    for (const draft of this.#drafts.values()) this.#close(draft);
    this.#drafts.clear();
  }

  #pathOf(hash: Hash): string {
    return join(this.#folders.root, looseName(hash));
  }

  /** A good file that is there already only has to be made durable, because its writer may have died before its sync. */
  #leanOnExisting(hash: Hash): boolean {
    const path = this.#pathOf(hash);
    try {
      if (this.#disk.stat(path)?.kind !== 'file' || hashFile(this.#disk, path)?.hash !== hash) return false;
    } catch (error) {
      if (isUnreadable(error)) return false;
      throw error;
    }
    this.#drafts.set(hash, { hash, path, file: undefined });
    return true;
  }

  #createTemp(): { path: string; file: OpenFile } {
    this.#folders.make(this.#folders.root);
    const path = join(this.#folders.root, newTempName(this.#ids));
    return { path, file: this.#disk.create(path) };
  }

  #keep(draft: Draft): void {
    // Descriptors are few, and nothing here says how much may be put before a flush.
    if (this.#drafts.size >= openDraftsMax) this.#close(draft);
    this.#drafts.set(draft.hash, draft);
  }

  #close(draft: Draft): void {
    draft.file?.close();
    draft.file = undefined;
  }

  #discard(path: string, file: OpenFile): void {
    file.close();
    this.#disk.remove(path);
  }
}

const openDraftsMax = 64;
