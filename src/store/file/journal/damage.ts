import { isUtf8 } from 'node:buffer';
import { isJsonObject } from '../../../base/json.ts';
import type { Finding, FindingCode } from '../../../model/failure.ts';
import { type JournalRecord, parseLine, sealBytes } from '../../records/line.ts';

/** What is wrong with a line, and what could be saved of it. */
export interface Diagnosis {
  readonly code: FindingCode;
  /** `by-place`: quiet at the end of a segment, loud before a record. */
  readonly weight: Finding['weight'] | 'by-place';
  /** Whole records that stand in the line among other bytes, in their order. */
  readonly records: readonly JournalRecord[];
}

/**
 * Names the damage of a line that is not a record. Quiet is only what an append that was never acknowledged can leave
 * behind: at the very end the start of a line, or the noise of a sector that a power cut caught; anywhere room that
 * the file system had given and not yet filled. When something that was acknowledged went with it, the sequence
 * numbers around it tell, loudly.
 */
export function diagnose(line: Buffer, ended: boolean): Diagnosis {
  const records = recoverRecords(line);
  const hasNul = line.includes(0);
  if (records.length > 0)
    return { code: hasNul ? 'nul-padding' : 'torn-tail-glued', weight: 'quiet', records };
  if (isAllNul(line)) return { code: 'nul-padding', weight: 'quiet', records };
  // A line that was written whole has both ends: it can only have been changed later. A torn one lacks its end.
  if (isSealed(line) || (ended && beginsLikeRecord(line)))
    return { code: codeOfLine(line), weight: 'loud', records };
  if (ended) return { code: codeOfLine(line), weight: 'by-place', records };
  const code = hasNul ? 'nul-padding' : isUtf8(line) ? 'torn-tail' : 'broken-utf8';
  return { code, weight: 'quiet', records };
}

function codeOfLine(line: Buffer): FindingCode {
  if (!isUtf8(line)) return 'broken-utf8';
  let value: unknown;
  try {
    value = JSON.parse(line.toString('utf8'));
  } catch {
    return 'garbage-line';
  }
  if (!isJsonObject(value)) return 'not-an-object';
  const parsed = parseLine(line);
  return parsed.kind === 'damaged' && parsed.damage === 'sum-differs' ? 'checksum-differs' : 'garbage-line';
}

/**
 * A torn line has no newline, so the next append of a careless writer stands on the same line. Wherever something
 * that may be a record ends, the nearest places where it may begin are tried: the checksum says which one is right.
 */
function recoverRecords(line: Buffer): JournalRecord[] {
  const records: JournalRecord[] = [];
  const starts = placesOf(line, recordStarts);
  let after = 0;
  for (const seal of placesOf(line, [',"sum":"'])) {
    const end = seal + sealBytes;
    const from = after;
    const near = starts.filter((start) => start >= from && start < seal).slice(-startsPerSealMax);
    for (const start of near.reverse()) {
      const record = parseLine(line.subarray(start, end));
      if (record.kind === 'damaged') continue;
      records.push(record);
      after = end;
      break;
    }
  }
  return records;
}

const recordStarts = ['{"seq":', '{"pin":', '{"closed":', '{"pawl":'];
// Enough for any honest damage; they keep a hostile line from costing the square of its length.
const placesMax = 64;
/** More than one, for an event's own data may hold an object that begins like a record. */
const startsPerSealMax = 4;

function placesOf(line: Buffer, texts: readonly string[]): number[] {
  const places: number[] = [];
  for (const text of texts) {
    let found = 0;
    for (let at = line.indexOf(text); at >= 0 && found < placesMax; at = line.indexOf(text, at + 1)) {
      places.push(at);
      found++;
    }
  }
  return places.sort((a, b) => a - b);
}

function beginsLikeRecord(line: Buffer): boolean {
  const start = line.toString('latin1', 0, 16);
  return recordStarts.some((text) => start.startsWith(text));
}

function isSealed(line: Buffer): boolean {
  const parsed = parseLine(line);
  return parsed.kind === 'damaged' && parsed.damage !== 'unsealed';
}

function isAllNul(line: Buffer): boolean {
  return line.every((byte) => byte === 0);
}
