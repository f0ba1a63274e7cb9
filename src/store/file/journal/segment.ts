import { join } from 'node:path';
import type { Disk } from '../../../disk/disk.ts';
import { readPiece } from '../../../disk/line-reader.ts';
import { reportNothing } from '../../findings.ts';
import {
  type JournalRecord,
  journalVersion,
  parseLine,
  readSumAtEnd,
  type SegmentHeader,
} from '../../records/line.ts';
import { scanRecords } from './scan.ts';

/** One file of an actor's journal. */
export interface Segment {
  readonly epoch: number;
  readonly path: string;
}

/** What the first records of a segment say. */
export interface Opening {
  /** `newer`: a later format; nothing else in it may be interpreted. */
  readonly header: SegmentHeader | 'unreadable' | 'newer';
  /** The version of Pawl that wrote it, as far as the header says. */
  readonly writer?: string | undefined;
  /** The epoch of the same actor that the only header names: where that exists, the file is a copy of it. */
  readonly copyOf: number | undefined;
  /** The first record behind the header: the pin, unless there is nothing to continue or it is damaged. */
  readonly first: Exclude<JournalRecord, { kind: 'header' }> | undefined;
}

export function segmentPath(actorFolder: string, epoch: number): string {
  return join(actorFolder, `${String(epoch).padStart(6, '0')}.jsonl`);
}

/** An actor's segments by epoch. Other names in the folder (a reserve, a temporary file) are none. */
export function listSegments(disk: Disk, actorFolder: string): Segment[] {
  const segments: Segment[] = [];
  for (const name of disk.list(actorFolder) ?? []) {
    const epoch = segmentName.exec(name)?.[1];
    // Not joined, which looks at every letter: one who claims tasks all day leaves a segment for each.
    if (epoch !== undefined) segments.push({ epoch: Number(epoch), path: `${actorFolder}/${name}` });
  }
  return segments.sort((a, b) => a.epoch - b.epoch);
}

/**
 * Reads as far as the first record behind the pin, and the whole segment where these lines are not as they were
 * written: a line that was put in before them must not be taken for them.
 */
export function readOpening(disk: Disk, segment: Segment, actor: string): Opening {
  if (disk.stat(segment.path)?.kind !== 'file')
    return { header: 'unreadable', copyOf: undefined, first: undefined };
  const found: OpeningLines = { header: undefined, others: [], pins: [], prevs: new Set(), first: undefined };
  const to = Number.POSITIVE_INFINITY;
  for (const { record, line } of scanRecords(disk, segment.path, 0, to, reportNothing)) {
    if (record.kind === 'header') {
      if (line === 1 && record.header.version > journalVersion)
        return { header: 'newer', writer: record.header.writer, copyOf: undefined, first: undefined };
      if (isInPlace(record.header, segment, actor)) found.header ??= record.header;
      else found.others.push(record.header);
      continue;
    }
    // A pin names an earlier segment; one that does not was put in.
    if (record.kind === 'pin' && record.pin.epoch >= segment.epoch) continue;
    found.first ??= record;
    if (record.kind === 'pin') found.pins.push(record);
    else found.prevs.add(record.prev);
    if (isAsWritten(found, segment)) break;
  }
  const { header, others, pins, prevs, first } = found;
  // The pin that other lines follow is this segment's own, and not one that was put in.
  const pin = pins.find(({ sum }) => prevs.has(sum)) ?? pins.at(-1);
  const copied = header === undefined ? others.find((other) => other.actor === actor)?.epoch : undefined;
  return { header: header ?? 'unreadable', copyOf: copied, first: pin ?? first };
}

interface OpeningLines {
  header: SegmentHeader | undefined;
  /** Headers of other segments. */
  readonly others: SegmentHeader[];
  readonly pins: Extract<JournalRecord, { kind: 'pin' }>[];
  readonly prevs: Set<string>;
  first: Opening['first'];
}

/** The header, the pin where there has to be one, and a line that follows it. */
function isAsWritten(
  { header, others, pins: [pin, other], prevs, first }: OpeningLines,
  { epoch }: Segment,
): boolean {
  if (header === undefined || others.length > 0 || other !== undefined) return false;
  if (epoch === 1) return first?.kind === 'event';
  return pin !== undefined && first === pin && prevs.has(pin.sum);
}

/** A file that was copied to another name is not the segment of that name. */
export function isInPlace(header: SegmentHeader, segment: Segment, actor: string): boolean {
  return header.actor === actor && header.epoch === segment.epoch;
}

/** What the segments before an epoch hold together: a stat of each, and nothing is read. */
export function sumBytesBefore(disk: Disk, segments: readonly Segment[], epoch: number): number {
  let bytes = 0;
  for (const segment of segments) if (segment.epoch < epoch) bytes += disk.stat(segment.path)?.size ?? 0;
  return bytes;
}

/** True if its writer released the lock: the last line is the closing record. */
export function isClosed(disk: Disk, segment: Segment): boolean {
  const stat = disk.stat(segment.path);
  if (stat?.kind !== 'file') return false;
  const { size } = stat;
  const tail = readPiece(disk, segment.path, Math.max(0, size - closedBytesMax), closedBytesMax);
  const end = tail.at(-1) === 0x0a ? tail.length - 1 : tail.length;
  const start = tail.lastIndexOf(0x0a, end - 1) + 1;
  return parseLine(tail.subarray(start, end)).kind === 'closed';
}

/** Whether the bytes up to a place are there and end with its record. */
export function endsWithRecord(disk: Disk, path: string, place: { length: number; sum: string }): boolean {
  const { length, sum } = place;
  // Before the first record there is only the header, and nothing that could be another.
  if (sum === '') return (disk.stat(path)?.size ?? 0) >= length;
  const start = Math.max(0, length - sumTailBytes);
  const tail = readPiece(disk, path, start, length - start);
  return tail.length === length - start && readSumAtEnd(tail) === sum;
}

const segmentName = /^(\d{6,9})\.jsonl$/;
const closedBytesMax = 512;
/** The checksum's member and a line end of two bytes. */
const sumTailBytes = 24;
