import type { Hash } from '../../../base/hash.ts';

const prefixLength = 'sha256:'.length;

/** Larger objects are files of their own: a pack stays quick to scan, and a large output is never held in memory. */
export const packedBytesMax = 64 * 1024;

/** The 64 hex digits without the name of the algorithm. */
export function hexOf(hash: Hash): string {
  return hash.slice(prefixLength);
}

/** Where a loose object lies, below the store's folder. */
export function looseName(hash: Hash): string {
  const hex = hexOf(hash);
  return `${hex.slice(0, 2)}/${hex.slice(2)}`;
}
