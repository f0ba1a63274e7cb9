import { relative } from 'node:path';
import { formatTime } from '../../base/clock.ts';
import { byCodeUnit, canonicalJson, type JsonObject } from '../../base/json.ts';
import type { Disk } from '../../disk/disk.ts';
import { type Line, readLines } from '../../disk/line-reader.ts';
import type { Finding, FindingCode } from '../../model/failure.ts';
import { type Report, reportOn, sortFindings } from '../../store/findings.ts';
import { classifyLog, withoutByteOrderMark } from '../../store/records/log-kind.ts';
import { type ForeignEvent, foreignActor, foreignName, foreignTime } from './foreign-event.ts';
import { type LogFile, listForeignFiles, tellingDiskTrouble } from './foreign-files.ts';
import { readForeignLine } from './foreign-line.ts';

export type { ForeignEvent } from './foreign-event.ts';

/** What other tools have written beside the journal. */
export interface ForeignLogs {
  /** By time, actor, file and line; each once. */
  readonly events: readonly ForeignEvent[];
  /** None of them loud: nothing that Pawl has acknowledged stands there. */
  readonly findings: readonly Finding[];
}

export interface ForeignLogOptions {
  /** Events and findings name files relative to this folder. */
  readonly base?: string | undefined;
}

/**
 * Reads the logs of other tools in a run's folder of events, each actor's in a folder of its name. Nothing on disk is
 * changed; unreadable parts are reported and skipped.
 */
export function readForeignLogs(
  disk: Disk,
  eventsFolder: string,
  { base = eventsFolder }: ForeignLogOptions = {},
): ForeignLogs {
  const findings: Finding[] = [];
  const reports = new Map<string, Report>();
  const nameOf = (path: string) => relative(base, path).replaceAll('\\', '/');
  const reportFor = (path: string): Report => {
    const file = nameOf(path);
    const report = reports.get(file) ?? reportOn(findings, file);
    reports.set(file, report);
    return report;
  };
  const entries: Entry[] = [];
  for (const log of listForeignFiles(disk, eventsFolder, reportFor)) {
    const report = reportFor(log.path);
    tellingDiskTrouble(report, () => readLog(disk, log, nameOf(log.path), report, entries));
  }
  const events = withoutDuplicates(entries.sort(compareEntries), ({ file, line }) =>
    reports.get(file)?.('duplicate-event', 'quiet', line),
  );
  return { events, findings: sortFindings(findings) };
}

/** An event, and whether its time is its own. */
interface Entry {
  readonly event: ForeignEvent;
  readonly isTimed: boolean;
}

function readLog(disk: Disk, log: LogFile, file: string, report: Report, entries: Entry[]): void {
  // A copy of a segment under any name adds nothing to the journal.
  if (classifyLog(disk, log.path) === 'segment') return;
  if (log.size === 0) report('empty-segment', 'quiet', 1);
  const found: Omit<ForeignEvent, 'at'>[] = [];
  try {
    for (const { fields, line, isDamaged } of readObjects(disk, log, report)) {
      const name = foreignName(fields);
      const actor = log.actor ?? foreignActor(fields) ?? 'unknown';
      if (name !== undefined) found.push({ name, actor, fields, file, line });
      else if (!isDamaged) report('unknown-event', 'quiet', line);
    }
  } finally {
    // Trouble of the disk in the middle does not undo what was read before it.
    for (const entry of withTimes(found)) entries.push(entry);
  }
}

/** Whatever stands before the first time of a file happened no later than that. */
function* withTimes(found: readonly Omit<ForeignEvent, 'at'>[]): Generator<Entry> {
  const times = found.map(({ fields }) => foreignTime(fields));
  let at = times.find((time) => time !== undefined) ?? formatTime(0);
  for (const [nth, event] of found.entries()) {
    const own = times[nth];
    at = own ?? at;
    yield { event: { ...event, at }, isTimed: own !== undefined };
  }
}

interface PlacedObject {
  readonly fields: JsonObject;
  readonly line: number;
  readonly isDamaged: boolean;
}

function* readObjects(disk: Disk, { path, size }: LogFile, report: Report): Generator<PlacedObject> {
  const strip = lineStripper(report);
  const lost = lostLines(report);
  for (const line of readLines(disk, path, 0, size)) {
    if (line.tooLong) {
      lost.add('line-too-long', line.number);
      continue;
    }
    const bytes = strip(line);
    if (bytes.every((byte) => byte === 0x20 || byte === 0x09)) continue;
    const { objects, damage } = readForeignLine(bytes, line.ended);
    const isLost = damage !== undefined && objects.length === 0 && line.ended;
    if (isLost) lost.add(damage, line.number);
    else if (damage !== undefined) report(damage, 'quiet', line.number);
    for (const fields of objects) yield { fields, line: line.number, isDamaged: damage !== undefined };
  }
  lost.tell();
}

/**
 * Reports unreadable lines. A torn tail is what a crash leaves; a whole unreadable line is louder, because its content is
 * lost. Adjacent lines are reported as one range.
 */
function lostLines(report: Report) {
  let open: { readonly code: FindingCode; readonly first: number; readonly last: number } | undefined;
  const tell = () => {
    if (open !== undefined) report(open.code, 'warning', open.first, undefined, open.last);
    open = undefined;
  };
  const add = (code: FindingCode, line: number) => {
    if (open?.code === code && line === open.last + 1) open = { ...open, last: line };
    else {
      tell();
      open = { code, first: line, last: line };
    }
  };
  return { add, tell };
}

/** Removes what editors and version control put around a line. Changed line ends are reported once for the file. */
function lineStripper(report: Report): (line: Line) => Buffer {
  let toldCarriageReturn = false;
  return (line) => {
    const bytes = withoutByteOrderMark(line.bytes);
    if (bytes.length < line.bytes.length) report('byte-order-mark', 'quiet', line.number);
    if (bytes[bytes.length - 1] !== 0x0d) return bytes;
    if (!toldCarriageReturn) report('carriage-return', 'quiet', line.number);
    toldCarriageReturn = true;
    return bytes.subarray(0, -1);
  };
}

function compareEntries({ event: a }: Entry, { event: b }: Entry): number {
  return (
    byCodeUnit(a.at, b.at) || byCodeUnit(a.actor, b.actor) || byCodeUnit(a.file, b.file) || a.line - b.line
  );
}

/**
 * What an actor says twice of one instant counts once: branches that were merged leave such lines, in one file or in
 * two. An event without a time of its own is never taken for another: a task may well have been started twice.
 */
function withoutDuplicates(sorted: readonly Entry[], tell: (event: ForeignEvent) => void): ForeignEvent[] {
  const kept: ForeignEvent[] = [];
  let seen = new Set<string>();
  for (const [nth, { event, isTimed }] of sorted.entries()) {
    const isFirst = !isSameInstant(event, sorted[nth - 1]);
    if (isFirst) seen = new Set();
    const isAlone = isFirst && !isSameInstant(event, sorted[nth + 1]);
    const content = isTimed && !isAlone ? canonicalJson(event.fields) : undefined;
    if (content !== undefined && seen.has(content)) {
      tell(event);
      continue;
    }
    if (content !== undefined) seen.add(content);
    kept.push(event);
  }
  return kept;
}

function isSameInstant({ at, actor }: ForeignEvent, other: Entry | undefined): boolean {
  return other !== undefined && other.event.at === at && other.event.actor === actor;
}
