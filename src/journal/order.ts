import { shapeOf } from './event-check.ts';
import type { Report } from './findings.ts';
import { type JournalRecord, journalVersion } from './line.ts';
import type { Position } from './position.ts';

export type EventRecord = Extract<JournalRecord, { kind: 'event' }>;
export type ControlRecord = Extract<JournalRecord, { kind: 'pin' | 'closed' }>;

/** What the order of records hangs on; moves with every record. */
export type OrderHead = { -readonly [K in 'seq' | 'sum' | 'at']: Position[K] };

export interface OrderChecker {
  /** Whether the event comes next; false for one that was there before. */
  isNext(record: EventRecord, line: number): boolean;
  control(record: ControlRecord, line: number): void;
}

/** Numbers leave no gap and each record names the one before it: a line that was lost or changed is seen. */
export function orderChecker(head: OrderHead, report: Report): OrderChecker {
  const sums = new Map<number, string>();
  return {
    isNext(record, line) {
      if (record.seq <= head.seq) {
        const isSame = record.sum === head.sum || sums.get(record.seq) === record.sum;
        report(isSame ? 'duplicate-event' : 'chain-broken', isSame ? 'quiet' : 'loud', line);
        return false;
      }
      if (record.seq > head.seq + 1)
        report('sequence-gap', 'loud', line, `${head.seq + 1}..${record.seq - 1}`);
      else if (record.prev !== head.sum) report('chain-broken', 'loud', line);
      sums.set(record.seq, record.sum);
      head.seq = record.seq;
      head.sum = record.sum;
      // Time never goes back within an actor; where a file says so all the same, its own order is kept.
      if (record.at > head.at) head.at = record.at;
      return true;
    },
    control(record, line) {
      if (record.sum === head.sum) return report('duplicate-event', 'quiet', line);
      if (record.seq > head.seq) report('sequence-gap', 'loud', line, `${head.seq + 1}..${record.seq}`);
      else if (record.seq < head.seq || record.prev !== head.sum) report('chain-broken', 'loud', line);
      // The numbers that were lost stay used, so that nothing is ever numbered twice.
      head.seq = Math.max(head.seq, record.seq);
      head.sum = record.sum;
    },
  };
}

/** What cannot be folded stays out of the fold, though its place in the order is honoured. */
export function isUsable(record: EventRecord, line: number, report: Report): boolean {
  const { v, type } = record.fields;
  if (v !== undefined && v !== journalVersion) {
    report('newer-format', 'loud', line);
    return false;
  }
  const shape = shapeOf(record.fields);
  if (shape === 'known') return true;
  const detail = String(type).slice(0, 64);
  if (shape === 'unknown-type') report('unknown-event', 'quiet', line, detail);
  else report('garbage-line', 'loud', line, detail);
  return false;
}
