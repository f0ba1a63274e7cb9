import type { Hash } from '../base/hash.ts';
import type { HashedFile } from '../disk/hash-file.ts';

/**
 * Content by hash: put if absent, get, never change. Any number of processes may use it at once. After a failed write or
 * sync it is void and every flush rejects, because nothing tells what is stored.
 */
export interface ContentStore {
  /**
   * Answers at once; the bytes are safe when the next flush resolves, and the flush reports trouble. `hash` is that of the
   * bytes, where it is known already.
   */
  put(bytes: Uint8Array, hash?: Hash): Hash;
  /** Like `put`, for a file of any size, in little memory. Undefined: no such file. `EFBIG` beyond the limit. */
  putFile(path: string, sizeBytesMax?: number): Promise<HashedFile | undefined>;
  /** True if there is a copy. Only `get` verifies it. */
  has(hash: Hash): boolean;
  /** The bytes, verified by their hash; `damaged` if there are copies and none of them is good. */
  get(hash: Hash): Uint8Array | 'damaged' | undefined;
  /** Bytes that this process put lately, without reading them back. Undefined says nothing; `get` knows. */
  recall(hash: Hash): Uint8Array | undefined;
  /** Resolves when everything that was put before the call is safe. One write and one sync, however many wait. */
  flush(): Promise<void>;
  /** Flushes, and leaves an index so that the next process need not scan what this one wrote. */
  close(): Promise<void>;
}

/** Content that no run names, as `pawl gc` finds it. */
export interface ContentSurvey {
  readonly unused: readonly UnusedContent[];
  /** Packs with both named and unnamed objects: they stay, and hold so much that is not needed. */
  readonly partly: { readonly packs: number; readonly objects: number; readonly bytes: number };
  /** Not named, but so young that its run may not have recorded it yet. */
  readonly young: { readonly files: number; readonly bytes: number };
}

/** A file of the content store that no run needs. */
export interface UnusedContent {
  readonly path: string;
  readonly bytes: number;
  /** `leftover`: of a process that died, or an index without its pack. */
  readonly kind: 'object' | 'pack' | 'leftover';
}
