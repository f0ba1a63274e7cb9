import { dirname } from 'node:path';
import type { Disk } from '../../../disk/disk.ts';

/** The folders of a store: which are there, and which hold names that are not durable yet. */
export class StoreFolders {
  readonly root: string;
  readonly #disk: Disk;
  readonly #made = new Set<string>();
  #unsynced = new Set<string>();

  constructor(disk: Disk, root: string) {
    this.#disk = disk;
    this.root = root;
  }

  /**
   * Makes the folder, once. The names of the store's folders and of the one that holds it are taken for not durable
   * even where they are there: another process may have made them and promised nothing.
   */
  make(folder: string): void {
    if (this.#made.has(folder)) return;
    const parent = dirname(this.root);
    for (let at = folder; at !== dirname(at); at = dirname(at)) {
      if (at.length < parent.length && this.#disk.stat(at) !== undefined) break;
      this.noteNewName(dirname(at));
    }
    this.#disk.makeFolder(folder);
    this.#made.add(folder);
  }

  /** A file got a name in this folder. */
  noteNewName(folder: string): void {
    this.#unsynced.add(folder);
  }

  async sync(): Promise<void> {
    if (this.#unsynced.size === 0) return;
    const folders = [...this.#unsynced];
    this.#unsynced = new Set();
    await awaitAll(folders.map((folder) => this.#disk.syncFolder(folder)));
  }
}

/** Like `Promise.all`, but nothing is still under way when it rejects, so that the caller may close the files. */
export async function awaitAll(work: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(work)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}
