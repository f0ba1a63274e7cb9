import type { Report } from '../../findings.ts';
import type { Position } from '../../position.ts';
import { classifyEvent } from '../../records/event-check.ts';
import { isCount, type JournalRecord, journalVersion } from '../../records/line.ts';
import type { PlacedRecord } from './scan.ts';

export type EventRecord = Extract<JournalRecord, { kind: 'event' }>;
export type ControlRecord = Extract<JournalRecord, { kind: 'pin' | 'closed' }>;

/** A record that has a number, and where it stands. */
export interface Numbered {
  readonly record: EventRecord | ControlRecord;
  readonly line: number;
  readonly end: number;
}

/** Where the order of records stands; moves with every record. */
export type OrderHead = { -readonly [K in 'seq' | 'sum' | 'at']: Position[K] };

export interface Chain {
  readonly head: OrderHead;
  readonly report: Report;
  /** Whether an intact record stands elsewhere in the actor's journal, before what is read. Slow: for damage only. */
  stoodBefore(sum: string): boolean;
}

/**
 * The records of a segment in the order of their chain: each names the number and the checksum of the one before it.
 * The place of a line in its file proves nothing, because copies are put in by merges and by hand. While every record
 * follows the one before it, nothing is held back; from the first that does not, the rest of the segment is sorted.
 */
export function* followChain(records: Generator<Numbered>, chain: Chain): Generator<Numbered> {
  const { head, report } = chain;
  const sums = new Set<string>();
  let before = '';
  // Not `for … of`, which would end the generator when it is handed on.
  for (let next = records.next(); !next.done; next = records.next()) {
    const item = next.value;
    const { record, line } = item;
    if (!follows(record, head)) {
      const isCopy = record.sum === head.sum || sums.has(record.sum) || chain.stoodBefore(record.sum);
      if (isCopy) report('duplicate-event', 'quiet', line);
      else if (record.kind === 'event' && record.seq <= head.seq) report('chain-broken', 'loud', line);
      else return yield* sortRest([item, ...records], before, sums, chain);
      continue;
    }
    sums.add(record.sum);
    before = record.sum;
    advance(head, record);
    yield item;
  }
}

/** What cannot be folded stays out of the fold, though its place in the order is honoured. */
export function isUsable(fields: EventRecord['fields'], line: number, report: Report): boolean {
  const { v, type } = fields;
  if (v !== undefined && !(isCount(v) && v <= journalVersion)) {
    report('newer-format', 'loud', line);
    return false;
  }
  const shape = classifyEvent(fields);
  if (shape === 'known') return true;
  const detail = String(type).slice(0, 64);
  if (shape === 'unknown-type') report('unknown-event', 'quiet', line, detail);
  else report('garbage-line', 'loud', line, detail);
  return false;
}

export function isNumbered(item: PlacedRecord): item is Numbered {
  return item.record.kind !== 'header';
}

function follows(record: Numbered['record'], head: OrderHead): boolean {
  const seq = record.kind === 'event' ? head.seq + 1 : head.seq;
  return record.seq === seq && record.prev === head.sum;
}

function advance(head: OrderHead, record: Numbered['record']): void {
  // The numbers that were lost stay used, so that nothing is ever numbered twice.
  head.seq = Math.max(head.seq, record.seq);
  head.sum = record.sum;
  // Time never goes back within an actor. Where a damaged file claims so, the order of its lines is kept.
  if (record.kind === 'event' && record.at > head.at) head.at = record.at;
}

/** Everything from the first record that does not follow. `before`: the checksum of the record that stands before it. */
function* sortRest(
  rest: readonly Numbered[],
  before: string,
  sums: ReadonlySet<string>,
  chain: Chain,
): Generator<Numbered> {
  const { head, report } = chain;
  const isInPlace = ({ record }: Numbered, at: number) =>
    record.prev === (at === 0 ? before : rest[at - 1]?.record.sum) ||
    rest[at + 1]?.record.prev === record.sum;
  const inPlace = new Set(rest.filter(isInPlace));
  for (const group of groupsByNumber(withoutCopies(rest, inPlace, sums, chain))) {
    // Two lines with one number: that of the chain counts.
    const first = group.find(({ record }) => follows(record, head)) ?? group[0];
    for (const other of group) if (other !== first) report('chain-broken', 'loud', other.line);
    if (first === undefined) continue;
    const { record, line } = first;
    const isEvent = record.kind === 'event';
    const last = isEvent ? record.seq - 1 : record.seq;
    if (isEvent && record.seq <= head.seq) {
      report('chain-broken', 'loud', line);
      continue;
    }
    if (last > head.seq) report('sequence-gap', 'loud', line, `${head.seq + 1}..${last}`);
    else if (!follows(record, head)) report('chain-broken', 'loud', line);
    else if (!inPlace.has(first)) report('line-out-of-place', 'quiet', line);
    advance(head, record);
    yield first;
  }
}

/** Of copies the one stays that stands beside its neighbours of the chain; else the first. */
function withoutCopies(
  rest: readonly Numbered[],
  inPlace: ReadonlySet<Numbered>,
  sums: ReadonlySet<string>,
  { head, report, stoodBefore }: Chain,
): Numbered[] {
  const kept = new Map<string, Numbered>();
  for (const item of rest) {
    const { sum, seq } = item.record;
    const earlier = kept.get(sum);
    const isKnown = sums.has(sum) || sum === head.sum || (seq <= head.seq && stoodBefore(sum));
    if (isKnown || (earlier !== undefined && (inPlace.has(earlier) || !inPlace.has(item)))) {
      report('duplicate-event', 'quiet', item.line);
      continue;
    }
    if (earlier !== undefined) report('duplicate-event', 'quiet', earlier.line);
    kept.set(sum, item);
  }
  return [...kept.values()];
}

function* groupsByNumber(items: readonly Numbered[]): Generator<readonly Numbered[]> {
  // A pin stands before the event after its number, the closing record after the event of its number.
  const rank = { event: 0, pin: 1, closed: 2 } as const;
  const order = ({ record }: Numbered) => record.seq * 3 + rank[record.kind];
  const sorted = items.toSorted((a, b) => order(a) - order(b) || a.line - b.line);
  const orderAt = (at: number) => {
    const item = sorted[at];
    return item && order(item);
  };
  for (let from = 0; from < sorted.length; ) {
    let to = from + 1;
    while (to < sorted.length && orderAt(to) === orderAt(from)) to++;
    yield sorted.slice(from, to);
    from = to;
  }
}
