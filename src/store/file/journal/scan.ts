import type { Disk } from '../../../disk/disk.ts';
import { type Line, readLines } from '../../../disk/line-reader.ts';
import type { Finding, FindingCode } from '../../../model/failure.ts';
import type { Report } from '../../findings.ts';
import { type JournalRecord, parseLine } from '../../records/line.ts';
import { diagnose } from './damage.ts';

/** A record and where it stands. */
export interface PlacedRecord {
  readonly record: JournalRecord;
  /** The line, counted from 1 at the place where reading began. */
  readonly line: number;
  /** Where the next record may begin. */
  readonly end: number;
}

/**
 * Every record between two offsets whose checksum is right, also among damaged bytes; everything else is reported.
 * Looks at lines one by one: what they say to each other is not known here.
 */
export function* scanRecords(
  disk: Disk,
  path: string,
  from: number,
  to: number,
  report: Report,
): Generator<PlacedRecord> {
  const strip = lineStripper(report);
  const undecided: { code: FindingCode; line: number }[] = [];
  const decide = (weight: Finding['weight']) => {
    for (const { code, line } of undecided.splice(0)) report(code, weight, line);
  };
  for (const line of readLines(disk, path, from, to)) {
    if (line.tooLong) {
      report('line-too-long', 'loud', line.number);
      continue;
    }
    const bytes = strip(line);
    // Between what was read as a last line without its newline and that newline there is nothing.
    if (bytes.length === 0) continue;
    const record = parseLine(bytes);
    if (record.kind !== 'damaged') {
      if (undecided.length > 0) decide('loud');
      if (!line.ended && line.end !== to) report('no-final-newline', 'quiet', line.number);
      yield { record, line: line.number, end: line.end };
      continue;
    }
    const { code, weight, records } = diagnose(bytes, line.ended);
    if (records.length > 0) decide('loud');
    if (weight !== 'by-place')
      report(code, weight, line.number, code === 'torn-tail' ? tornBytes(bytes) : undefined);
    else if (undecided.length < undecidedMax) undecided.push({ code, line: line.number });
    for (const saved of records) yield { record: saved, line: line.number, end: line.end };
  }
  decide('quiet');
}

const tornBytes = ({ length }: Buffer) => (length === 1 ? '1 byte' : `${length} bytes`);

const undecidedMax = 100;

/** Takes off what editors and version control put around a line, and reports it once. */
function lineStripper(report: Report): (line: Line) => Buffer {
  let isCarriageReturnReported = false;
  return (line) => {
    let { bytes } = line;
    if (line.start === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
      bytes = bytes.subarray(3);
      report('byte-order-mark', 'quiet', line.number);
    }
    if (bytes[bytes.length - 1] !== 0x0d) return bytes;
    if (!isCarriageReturnReported) report('carriage-return', 'quiet', line.number);
    isCarriageReturnReported = true;
    return bytes.subarray(0, -1);
  };
}
