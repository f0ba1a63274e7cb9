import { type Disk, DiskError } from '../../disk/disk.ts';
import { readPiece } from '../../disk/line-reader.ts';
import { readSumAtEnd } from './line.ts';

/**
 * Whose a log is, as far as its first lines tell.
 *
 * - `segment`: it begins like one of Pawl's own, or some line of it is sealed like one.
 * - `foreign`: it holds lines of JSON, and none that is Pawl's: another tool wrote it, also under the name of a segment.
 * - `unclear`: it cannot be read, is empty or nearly so, or what it held was overwritten.
 */
export type LogKind = 'segment' | 'foreign' | 'unclear';

/** One damage, a cut or a changed byte, never makes a segment look foreign: then its loss would be reported too softly. */
export function classifyLog(disk: Disk, path: string): LogKind {
  const head = readHead(disk, path);
  const beginning = head.toString('latin1', 0, segmentStart.length);
  if (segmentStart.startsWith(beginning)) return beginning === segmentStart ? 'segment' : 'unclear';
  let hasObject = false;
  for (let start = 0; start < head.length; ) {
    const newline = head.indexOf(0x0a, start);
    const end = newline < 0 ? head.length : newline;
    if (readSumAtEnd(head.subarray(start, end)) !== undefined) return 'segment';
    hasObject ||= head[start] === openingBrace;
    start = end + 1;
  }
  return hasObject ? 'foreign' : 'unclear';
}

/** UTF-8's byte order mark, which editors put at the start of a file, and joining files into the middle of one. */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

const headBytes = 16 * 1024;
const openingBrace = 0x7b;
const segmentStart = '{"pawl":"journal"';

function readHead(disk: Disk, path: string): Buffer {
  try {
    return withoutByteOrderMark(readPiece(disk, path, 0, headBytes));
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return Buffer.alloc(0);
  }
}
