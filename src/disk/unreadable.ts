import { DiskError } from './disk.ts';

/**
 * This one file cannot be read, whoever asks and whenever: it must not take the others down with it. Trouble of
 * the whole process (no descriptors, no memory) is not of this kind and stays loud.
 */
export function isUnreadable(error: unknown): boolean {
  return error instanceof DiskError && codes.has(error.code);
}

const codes = new Set(['EACCES', 'EPERM', 'EIO', 'EISDIR', 'EINVAL', 'ELOOP', 'EFBIG']);
