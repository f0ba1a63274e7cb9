import { join } from 'node:path';
import type { Disk } from '../../../disk/disk.ts';
import { countLines } from '../../../disk/line-reader.ts';
import type { StoredEvent } from '../../../model/event.ts';
import type { Finding } from '../../../model/failure.ts';
import { type Report, reportNothing, reportOn } from '../../findings.ts';
import { type ActorHead, type Position, startPosition } from '../../position.ts';
import { readVersion1 } from '../../records/version-1.ts';
import { type Chain, followChain, isNumbered, isUsable, type Numbered } from './order.ts';
import { type PathStep, type PinPath, tracePins } from './pin-path.ts';
import { scanRecords } from './scan.ts';
import {
  endsWithRecord,
  isClosed,
  isInPlace,
  listSegments,
  type Segment,
  segmentPath,
  sumBytesBefore,
} from './segment.ts';

/** One actor's journal while it is read. */
export interface ActorReading {
  readonly actor: string;
  /** Every usable event, in the order of writing. */
  readonly events: Generator<StoredEvent>;
  /** How far it is read; the end when `events` has no more. */
  readonly head: Readonly<ActorHead>;
}

export interface ActorSource {
  readonly disk: Disk;
  readonly eventsFolder: string;
  readonly actor: string;
  readonly findings: Finding[];
  /** What a file is called in a finding. */
  nameOf(path: string): string;
}

/**
 * Starts reading an actor's journal behind `from`, or at its beginning. Undefined when `from` does not hold: its
 * segment is gone or shorter, another record ends there, or a later pin has made it void.
 */
export function readActor(source: ActorSource, from: Position | undefined): ActorReading | undefined {
  const { disk, eventsFolder, actor } = source;
  const segments = listSegments(disk, join(eventsFolder, actor));
  const path = tracePins(disk, segments, actor, from?.epoch);
  if (from !== undefined && !holds(disk, path, segments, from)) return undefined;
  const header = path.highest?.opening.header;
  const isReadable = typeof header === 'object';
  const head: Head = {
    ...(from === undefined ? startPosition : { ...from, before: undefined }),
    owner: isReadable ? header.owner : undefined,
    opened: isReadable ? header.opened : '',
    closed: path.highest !== undefined && isClosed(disk, path.highest.segment),
  };
  return { actor, head, events: readPath(source, path, head, from) };
}

type Head = { -readonly [K in keyof ActorHead]: ActorHead[K] };

function holds(disk: Disk, path: PinPath, segments: readonly Segment[], from: Position): boolean {
  const { before } = from;
  if (before !== undefined && sumBytesBefore(disk, segments, from.epoch) !== before) return false;
  const step = path.steps.find(({ segment }) => segment.epoch === from.epoch);
  if (step === undefined) return from.epoch === 0;
  const { segment, limit } = step;
  if (limit !== undefined && limit.seq < from.seq) return false;
  if (limit?.pinned !== undefined && limit.pinned.length < from.length) return false;
  return endsWithRecord(disk, segment.path, from);
}

function* readPath(
  source: ActorSource,
  path: PinPath,
  head: Head,
  from: Position | undefined,
): Generator<StoredEvent> {
  reportAside(source, path);
  const stoodBefore = earlierSums(source.disk, path);
  for (const step of path.steps) {
    const start = step.segment.epoch === from?.epoch ? from.length : 0;
    const { path: file } = step.segment;
    const linesBefore = () => countLines(source.disk, file, start);
    const report = reportOn(source.findings, source.nameOf(file), linesBefore);
    const place = { epoch: step.segment.epoch, before: start };
    yield* readSegment(source, step, start, { head, report, stoodBefore: (sum) => stoodBefore(sum, place) });
  }
}

/** Segments that do not count still say something: who died in a claim, who wrote after it had lost the actor. */
function reportAside({ disk, eventsFolder, actor, findings, nameOf }: ActorSource, path: PinPath): void {
  const on = (segment: Segment) => reportOn(findings, nameOf(segment.path));
  for (const segment of path.unpinned) reportOpening(disk, segment, actor, on(segment));
  for (const segment of path.void) on(segment)('void-after-pin', 'quiet', 2);
  for (const { segment, writer } of path.newer) on(segment)('newer-format', 'loud', 1, writer);
  for (const { segment, why } of path.unreadable) {
    if (why === 'no-file') on(segment)('file-unreadable', 'loud');
    else on(segment)('header-unreadable', 'loud', 1);
  }
  for (const epoch of path.missing) {
    const file = nameOf(segmentPath(join(eventsFolder, actor), epoch));
    reportOn(findings, file)('segment-shorter-than-pin', 'loud');
  }
}

function reportOpening(disk: Disk, segment: Segment, actor: string, report: Report): void {
  let hasHeader = false;
  for (const { record } of scanRecords(disk, segment.path, 0, Number.POSITIVE_INFINITY, report)) {
    hasHeader ||= record.kind === 'header' && isInPlace(record.header, segment, actor);
  }
  if (!hasHeader) reportNoHeader(disk, segment, report);
}

/** A segment appears under its name whole and durable: a header that cannot be read was damaged later. */
function reportNoHeader(disk: Disk, segment: Segment, report: Report): void {
  const isEmpty = (disk.stat(segment.path)?.size ?? 0) === 0;
  report(isEmpty ? 'empty-segment' : 'header-unreadable', 'loud', 1);
}

function* readSegment(
  { disk, actor }: ActorSource,
  { segment, limit, pin, isVersion2 }: PathStep,
  start: number,
  chain: Chain & { readonly head: Head },
): Generator<StoredEvent> {
  const { head, report } = chain;
  const pinned = limit?.pinned;
  // A pinned length that does not fit (the file was converted to other line ends, say) is not trusted: the number of
  // the last event that counts still tells what does not.
  const fits = pinned !== undefined && endsWithRecord(disk, segment.path, pinned);
  const to = fits ? pinned.length : Number.POSITIVE_INFINITY;
  const seqMax = limit?.seq ?? Number.POSITIVE_INFINITY;
  let header = start > 0 ? 'before' : undefined;
  let lines = 0;
  head.epoch = segment.epoch;
  head.length = start;
  function* numbered(): Generator<Numbered> {
    let isVoidReported = false;
    const foreign: number[] = [];
    for (const item of scanRecords(disk, segment.path, start, to, report)) {
      const { record, line } = item;
      lines = line;
      if (!isNumbered(item)) {
        const isOurs = item.record.kind === 'header' && isInPlace(item.record.header, segment, actor);
        if (isOurs && header === undefined) header = record.sum;
        else if (record.sum === header) report('duplicate-event', 'quiet', line);
        else foreign.push(line);
        head.length = item.end;
      } else if (record.kind === 'pin' && record.sum !== pin) {
        report('line-out-of-place', 'quiet', line);
      } else if (item.record.seq > seqMax) {
        // What follows may still be a line that counts, because lines are also put in before their place.
        if (!isVoidReported) report('void-after-pin', 'quiet', line);
        isVoidReported = true;
      } else {
        yield item;
        head.length = Math.max(head.length, item.end);
      }
    }
    // Where its own header is gone, that is said of it already.
    if (header !== undefined) for (const line of foreign) report('line-out-of-place', 'quiet', line);
  }
  for (const { record, line, end } of followChain(numbered(), chain)) {
    head.length = Math.max(head.length, end);
    if (record.kind !== 'event') continue;
    const fields = isVersion2 ? record.fields : readVersion1(record.fields);
    if (isUsable(fields, line, report))
      yield Object.assign(fields, { actor, epoch: segment.epoch }) as unknown as StoredEvent;
  }
  if (header === undefined) reportNoHeader(disk, segment, report);
  if (pinned === undefined) return;
  const size = disk.stat(segment.path)?.size ?? 0;
  if (fits && size > pinned.length && !isUnfinishedLine(disk, segment.path, pinned.length, size))
    report('void-after-pin', 'quiet', lines + 1);
  if (size < pinned.length && head.sum !== pinned.sum) report('segment-shorter-than-pin', 'loud');
}

/**
 * The start of one line, which a process was writing when it was killed. That is reported until the next process takes
 * over; from then on the pin says all there is to say, because nothing acknowledged can be in it.
 */
function isUnfinishedLine(disk: Disk, path: string, from: number, size: number): boolean {
  if (size - from > unfinishedBytesMax) return false;
  return disk.readRange(path, from, size - from)?.includes(0x0a) === false;
}

/** No event is longer. */
const unfinishedBytesMax = 4 * 1024 * 1024;

/** The checksums of everything that stands before a place, void or not. Read once, and only where lines do not follow. */
function earlierSums(
  disk: Disk,
  { all }: PinPath,
): (sum: string, place: { readonly epoch: number; readonly before: number }) => boolean {
  const read = new Map<number, Map<string, number>>();
  const sumsOf = (segment: Segment) => {
    const known = read.get(segment.epoch);
    if (known !== undefined) return known;
    const sums = new Map<string, number>();
    for (const { record, end } of scanRecords(disk, segment.path, 0, Number.POSITIVE_INFINITY, reportNothing))
      if (!sums.has(record.sum)) sums.set(record.sum, end);
    read.set(segment.epoch, sums);
    return sums;
  };
  return (sum, { epoch, before }) =>
    all.some((segment) => {
      if (segment.epoch > epoch || (segment.epoch === epoch && before === 0)) return false;
      if (disk.stat(segment.path)?.kind !== 'file') return false;
      const end = sumsOf(segment).get(sum);
      return end !== undefined && (segment.epoch < epoch || end <= before);
    });
}
