import { DiskError } from './disk.ts';

/**
 * This one file cannot be read by any process at any time, so it must not take the others down with it. A
 * problem of the whole process (no descriptors, no memory) is not of this kind and still throws.
 */
export function isUnreadable(error: unknown): boolean {
  return error instanceof DiskError && codes.has(error.code);
}

const codes = new Set(['EACCES', 'EPERM', 'EIO', 'EISDIR', 'EINVAL', 'ELOOP', 'EFBIG']);
