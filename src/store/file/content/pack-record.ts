import { type Hash, hashBytes } from '../../../base/hash.ts';
import type { Disk } from '../../../disk/disk.ts';
import { hexOf, packedBytesMax } from './object-name.ts';

/** Where an object's bytes stand in a pack. */
export interface PackEntry {
  readonly hash: Hash;
  readonly offset: number;
  readonly size: number;
}

/** `docs/formats/objects.md` describes the record: this line, the bytes, a newline. */
export function recordHeader(hash: Hash, size: number): string {
  return `${hexOf(hash)} ${size}\n`;
}

export interface PackScan {
  readonly entries: PackEntry[];
  /** Where the first thing stands that is no record: all before it is known for good. */
  readonly end: number;
}

/**
 * Finds the records of a pack from `from` on. What is no record (a torn tail, garbled bytes) is stepped over line by
 * line, so that damage hides what it hit and nothing else. A line in an object's own content may then look like
 * a record. It does no harm, because every object is read by its hash.
 */
export function scanPack(disk: Disk, path: string, from: number): PackScan {
  const entries: PackEntry[] = [];
  let end: number | undefined;
  let offset = from;
  for (;;) {
    const window = disk.readRange(path, offset, windowBytes);
    if (window === undefined || window.length === 0) return { entries, end: end ?? offset };
    const isLast = window.length < windowBytes;
    let at = 0;
    while (isLast ? at < window.length : at + recordBytesMax <= window.length) {
      const record = recordAt(window, at);
      if (record === undefined) {
        end ??= offset + at;
        at = afterNewline(window, at);
      } else {
        entries.push({ hash: record.hash, offset: offset + record.start, size: record.size });
        at = record.end;
      }
    }
    offset += at;
  }
}

const windowBytes = 1024 * 1024;
const hexLength = 64;
const headerBytesMax = hexLength + 1 + String(packedBytesMax).length + 1;
const recordBytesMax = headerBytesMax + packedBytesMax + 1;

const newline = 0x0a;
const space = 0x20;

interface Record {
  readonly hash: Hash;
  readonly start: number;
  readonly size: number;
  readonly end: number;
}

/** The header is believed while what should follow does follow; otherwise the bytes have to prove it. */
function recordAt(window: Uint8Array, at: number): Record | undefined {
  const record = parseHeader(window, at);
  if (record === undefined || record.end > window.length) return undefined;
  const { hash, start, size, end } = record;
  const goesOn = end === window.length || parseHeader(window, end) !== undefined;
  if (goesOn && window[end - 1] === newline) return record;
  return hashBytes(window.subarray(start, start + size)) === hash ? record : undefined;
}

function parseHeader(window: Uint8Array, at: number): Record | undefined {
  // Asked before anything is searched for: most lines that are no header end here.
  if (window[at + hexLength] !== space) return undefined;
  const lineEnd = window.indexOf(newline, at + hexLength);
  if (lineEnd === -1 || lineEnd - at >= headerBytesMax) return undefined;
  const line = Buffer.from(window.buffer, window.byteOffset + at, lineEnd - at).toString('latin1');
  const match = /^([0-9a-f]{64}) (0|[1-9][0-9]{0,4})$/.exec(line);
  const size = Number(match?.[2]);
  if (match === null || size > packedBytesMax) return undefined;
  const start = lineEnd + 1;
  return { hash: `sha256:${match[1]}`, start, size, end: start + size + 1 };
}

function afterNewline(window: Uint8Array, at: number): number {
  const found = window.indexOf(newline, at);
  return found === -1 ? window.length : found + 1;
}
