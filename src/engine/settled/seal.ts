import { type Hash, hashBytes } from '../../base/hash.ts';

/*
 * A file that can be done without is not synced. Its last line is a hash of all bytes before it: what was written last
 * says that all of it was.
 */

/** The last line. */
export function sealOf(hash: Hash): string {
  return `${JSON.stringify({ hash })}\n`;
}

/** Its length. */
export const sealBytes = sealOf(hashBytes('')).length;

/** What lies before the seal; undefined where the seal is not that of these bytes. */
export function unseal(read: Uint8Array): Buffer | undefined {
  if (read.length < sealBytes) return undefined;
  const bytes = Buffer.from(read.buffer, read.byteOffset, read.length);
  const body = bytes.subarray(0, -sealBytes);
  return bytes.toString('latin1', body.length) === sealOf(hashBytes(body)) ? body : undefined;
}
