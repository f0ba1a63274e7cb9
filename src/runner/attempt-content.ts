import { type Hash, hashBytes } from '../base/hash.ts';
import type { HashedFile } from '../disk/hash-file.ts';
import type { ContentStore } from '../store/content.ts';
import type { ExecutorContent } from './executor-host.ts';

/**
 * The content store as one attempt of this process sees it. What the attempt makes is held in memory until it has passed
 * its checks: what was rejected is no content of the run, and need not be read back to be checked.
 */
export class AttemptContent implements ExecutorContent {
  readonly #store: ContentStore;
  /** The first output; most attempts make no other one. */
  #first: HeldBytes | undefined;
  #others: Map<Hash, HeldBytes> | undefined;

  constructor(store: ContentStore) {
    this.#store = store;
  }

  get(hash: Hash): Uint8Array | undefined {
    const bytes = this.#find(hash)?.bytes ?? this.#store.get(hash);
    return bytes === 'damaged' ? undefined : bytes;
  }

  put(bytes: Uint8Array, hash = hashBytes(bytes)): Hash {
    const held = { hash, bytes };
    if (this.#first === undefined || this.#first.hash === hash) this.#first = held;
    else this.#others = (this.#others ?? new Map<Hash, HeldBytes>()).set(hash, held);
    return hash;
  }

  putFile(path: string, sizeBytesMax: number): Promise<HashedFile | undefined> {
    return this.#store.putFile(path, sizeBytesMax);
  }

  /** Puts what was made into the store: safe when the next flush resolves. */
  keep(hash: Hash): void {
    const held = this.#find(hash);
    if (held !== undefined) this.#store.put(held.bytes, hash);
  }

  /** Lets go of what is held: an attempt that only waits for its record has no use for it. */
  release(): void {
    this.#first = undefined;
    this.#others = undefined;
  }

  #find(hash: Hash): HeldBytes | undefined {
    return this.#first?.hash === hash ? this.#first : this.#others?.get(hash);
  }
}

interface HeldBytes {
  readonly hash: Hash;
  readonly bytes: Uint8Array;
}
