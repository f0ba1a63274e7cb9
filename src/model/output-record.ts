import type { Hash } from '../base/hash.ts';

/** A file at its declared path, as it was recorded. */
export interface OutputRecord {
  readonly path: string;
  readonly hash: Hash;
  readonly size: number;
  /** Its owner may run it; left out where not, and of results of versions that did not ask. */
  readonly executable?: true;
}
