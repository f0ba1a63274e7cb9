import { globMatcher } from '../base/glob.ts';
import { byCodeUnit } from '../base/json.ts';
import type { Reader } from './loaded.ts';

/** What a file of the memory holds; an error is thrown when it is read. */
export type MemoryFile = string | Uint8Array | Error;

/**
 * A workspace in memory: for tests, and for manifests that are on no disk yet. `outside` are paths that lead out of
 * the workspace through a link, with everything below them.
 */
export function memoryReader(
  files: Readonly<Record<string, MemoryFile>>,
  outside: readonly string[] = [],
): Reader {
  const escapes = (path: string) => outside.some((link) => path === link || path.startsWith(`${link}/`));
  return {
    read(path, maxBytes) {
      const file = Object.hasOwn(files, path) ? files[path] : undefined;
      if (file instanceof Error) throw file;
      const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
      return bytes !== undefined && bytes.length > maxBytes ? 'too-large' : bytes;
    },
    glob(pattern) {
      return Object.keys(files).filter(globMatcher(pattern)).sort(byCodeUnit);
    },
    escapes,
    follow(path) {
      if (escapes(path) || path.startsWith('/')) return 'outside';
      return Object.hasOwn(files, path) ? { file: path } : 'none';
    },
  };
}
