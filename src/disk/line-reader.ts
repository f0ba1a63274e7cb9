import type { Disk } from './disk.ts';

/** A longer line is neither written nor read. */
export const lineBytesMax = 4 * 1024 * 1024;

/** One line of a file, as bytes: text may be broken anywhere, and U+2028 ends no line. */
export interface Line {
  /** Without the newline. Empty for a line that is too long to be read. */
  readonly bytes: Buffer;
  /** Counted from 1 at the place where reading began. */
  readonly number: number;
  readonly start: number;
  /** Where the next line begins. */
  readonly end: number;
  /** A newline stands behind it. */
  readonly ended: boolean;
  readonly tooLong: boolean;
}

/**
 * The lines between two offsets, never holding more than one piece of the file. A line is cut out of the piece that
 * holds it whole; one that reaches over the piece's end is read again at the start of the next.
 */
export function* readLines(disk: Disk, path: string, from: number, to: number): Generator<Line> {
  let offset = from;
  let number = 1;
  let pieceBytes = pieceBytesFirst;
  while (offset < to) {
    const piece = readPiece(disk, path, offset, Math.min(pieceBytes, to - offset));
    let start = 0;
    for (let newline = piece.indexOf(0x0a); newline >= 0; newline = piece.indexOf(0x0a, start)) {
      yield lineOf(piece.subarray(start, newline), number, offset + start, true);
      number++;
      start = newline + 1;
    }
    if (piece.length < pieceBytes) {
      if (start < piece.length) yield lineOf(piece.subarray(start), number, offset + start, false);
      return;
    }
    if (start === 0 && pieceBytes > lineBytesMax) {
      const line = passLongLine(disk, path, offset, to, number);
      yield line;
      number++;
      start = line.end - offset;
    }
    offset += start;
    pieceBytes = start === 0 ? pieceBytes * 2 : Math.min(pieceBytes * 2, pieceBytesUsual);
  }
}

/** How many lines end before an offset: for naming the place of a finding after reading from the middle. */
export function countLines(disk: Disk, path: string, to: number): number {
  let count = 0;
  for (let offset = 0; offset < to; ) {
    const piece = readPiece(disk, path, offset, Math.min(pieceBytesUsual, to - offset));
    if (piece.length === 0) break;
    for (let at = piece.indexOf(0x0a); at >= 0; at = piece.indexOf(0x0a, at + 1)) count++;
    offset += piece.length;
  }
  return count;
}

/** Up to `length` bytes; fewer at the end of the file. */
export function readPiece(disk: Disk, path: string, offset: number, length: number): Buffer {
  const bytes = disk.readRange(path, offset, length);
  return bytes === undefined ? Buffer.alloc(0) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

// Most segments are small, and the first lines of each are looked at more often than the rest.
const pieceBytesFirst = 16 * 1024;
const pieceBytesUsual = 1024 * 1024;

function lineOf(bytes: Buffer, number: number, start: number, ended: boolean): Line {
  const end = start + bytes.length + (ended ? 1 : 0);
  return { bytes, number, start, end, ended, tooLong: bytes.length >= lineBytesMax };
}

function passLongLine(disk: Disk, path: string, start: number, to: number, number: number): Line {
  let offset = start;
  let ended = false;
  while (offset < to && !ended) {
    const piece = readPiece(disk, path, offset, Math.min(pieceBytesUsual, to - offset));
    if (piece.length === 0) break;
    const newline = piece.indexOf(0x0a);
    ended = newline >= 0;
    offset += ended ? newline + 1 : piece.length;
  }
  return { bytes: Buffer.alloc(0), number, start, end: offset, ended, tooLong: true };
}
