import { fail, ok, type Result } from '../../base/result.ts';
import { type Disk, DiskError } from '../../disk/disk.ts';
import type { AgentTrouble } from './trouble.ts';

/** A file that may be edited. */
export interface TextFile {
  /** Where its bytes are: a link is followed, and stays. */
  readonly target: string;
  /** Undefined: there is none. */
  readonly text: string | undefined;
}

export function readTextFile(disk: Disk, path: string): Result<TextFile, AgentTrouble> {
  try {
    const kind = disk.stat(path)?.kind;
    if (kind === undefined) return ok({ target: path, text: undefined });
    const target = kind === 'link' ? disk.realpath(path) : path;
    if (target === undefined) return fail({ reason: 'link-leads-nowhere', path });
    if (disk.stat(target)?.kind !== 'file') return fail({ reason: 'not-a-file', path });
    const text = decode(disk.read(target, fileBytesMax) ?? new Uint8Array());
    if (text !== undefined) return ok({ target, text });
    return fail({ reason: 'settings-unreadable', problem: 'not-utf-8', place: { path, line: 1, column: 1 } });
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    if (error.code === 'EFBIG')
      return fail({ reason: 'settings-too-large', path, sizeBytesMax: fileBytesMax });
    return fail(diskTrouble(error, []));
  }
}

export function diskTrouble(error: DiskError, written: readonly string[]): AgentTrouble {
  const { code, operation, path } = error;
  return { reason: 'disk-failed', code, operation, path, written };
}

const fileBytesMax = 2 * 1024 * 1024;

/** Every byte comes back when the text is encoded again; undefined where it would not. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
