import { join } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import type { StoredEvent } from '../model/event.ts';
import type { Finding } from '../model/failure.ts';
import { type Report, reportOn } from './findings.ts';
import { countLines } from './line-reader.ts';
import { isUsable, orderChecker } from './order.ts';
import { type PathStep, type PinPath, tracePins } from './pin-path.ts';
import { type ActorHead, type Position, startPosition } from './position.ts';
import { scanRecords } from './scan.ts';
import { endsWithRecord, isClosed, isInPlace, listSegments, type Segment, segmentPath } from './segment.ts';

/** One actor's journal while it is read. */
export interface ActorReading {
  readonly actor: string;
  /** Every usable event, in the order of writing. */
  readonly events: Generator<StoredEvent>;
  /** Where reading has come to; the end when `events` has no more. */
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
  if (from !== undefined && !holds(disk, path, from)) return undefined;
  const header = path.highest?.opening.header;
  const isReadable = typeof header === 'object';
  const head: Head = {
    ...(from ?? startPosition),
    holder: isReadable ? header.holder : undefined,
    opened: isReadable ? header.opened : '',
    closed: path.highest !== undefined && isClosed(disk, path.highest.segment),
  };
  return { actor, head, events: readPath(source, path, head, from) };
}

type Head = { -readonly [K in keyof ActorHead]: ActorHead[K] };

function holds(disk: Disk, path: PinPath, from: Position): boolean {
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
  for (const step of path.steps) {
    const start = step.segment.epoch === from?.epoch ? from.length : 0;
    const { path: file } = step.segment;
    const linesBefore = () => countLines(source.disk, file, start);
    const report = reportOn(source.findings, source.nameOf(file), linesBefore);
    yield* readSegment(source, step, start, head, report);
  }
}

/** Segments that do not count still say something: who died in a claim, who wrote after it had lost the actor. */
function reportAside({ disk, eventsFolder, actor, findings, nameOf }: ActorSource, path: PinPath): void {
  const on = (segment: Segment) => reportOn(findings, nameOf(segment.path));
  for (const segment of path.unpinned) reportOpening(disk, segment, actor, on(segment));
  for (const segment of path.void) on(segment)('void-after-pin', 'quiet', 2);
  for (const segment of path.newer) on(segment)('newer-format', 'loud', 1);
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
  source: ActorSource,
  { segment, limit }: PathStep,
  start: number,
  head: Head,
  report: Report,
): Generator<StoredEvent> {
  const { disk, actor } = source;
  const pinned = limit?.pinned;
  // A pinned length that does not fit (the file was converted to other line ends, say) is not trusted: the number of
  // the last event that counts still tells what does not.
  const fits = pinned !== undefined && endsWithRecord(disk, segment.path, pinned);
  const to = fits ? pinned.length : Number.POSITIVE_INFINITY;
  const seqMax = limit?.seq ?? Number.POSITIVE_INFINITY;
  const order = orderChecker(head, report);
  let hasHeader = start > 0;
  let lines = 0;
  head.epoch = segment.epoch;
  head.length = start;
  for (const { record, line, end } of scanRecords(disk, segment.path, start, to, report)) {
    lines = line;
    if (record.kind === 'header') {
      if (start > 0 || line > 1) report('garbage-line', 'loud', line, 'header');
      else hasHeader = isInPlace(record.header, segment, actor);
    } else if (record.seq > seqMax) {
      report('void-after-pin', 'quiet', line);
      break;
    } else if (record.kind !== 'event') {
      order.control(record, line);
    } else if (order.isNext(record, line) && isUsable(record, line, report)) {
      head.length = end;
      yield Object.assign(record.fields, { actor, epoch: segment.epoch }) as unknown as StoredEvent;
    }
    head.length = end;
  }
  if (!hasHeader) reportNoHeader(disk, segment, report);
  if (pinned === undefined) return;
  const size = disk.stat(segment.path)?.size ?? 0;
  if (fits && size > pinned.length) report('void-after-pin', 'quiet', lines + 1);
  if (size < pinned.length && head.sum !== pinned.sum) report('segment-shorter-than-pin', 'loud');
}
