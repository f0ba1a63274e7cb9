import type { HashedFile } from '../artifacts/hash-file.ts';
import type { ContentStore } from '../artifacts/store.ts';
import { type Hash, hashBytes } from '../base/hash.ts';
import type { ExecutorContent } from './executor-host.ts';

/**
 * The content store as one attempt of this process sees it. What the attempt makes is held in memory until it has passed
 * its checks: what was rejected is no content of the run, and need not be read back to be checked.
 */
export class AttemptContent implements ExecutorContent {
  readonly #store: ContentStore;
  readonly #made = new Map<Hash, Uint8Array>();

  constructor(store: ContentStore) {
    this.#store = store;
  }

  get(hash: Hash): Uint8Array | undefined {
    const bytes = this.#made.get(hash) ?? this.#store.get(hash);
    return bytes === 'damaged' ? undefined : bytes;
  }

  put(bytes: Uint8Array, hash = hashBytes(bytes)): Hash {
    this.#made.set(hash, bytes);
    return hash;
  }

  putFile(path: string, sizeBytesMax: number): Promise<HashedFile | undefined> {
    return this.#store.putFile(path, sizeBytesMax);
  }

  /** Puts what was made into the store: safe when the next flush resolves. */
  keep(hash: Hash): void {
    const bytes = this.#made.get(hash);
    if (bytes !== undefined) this.#store.put(bytes, hash);
  }
}
