import { checksum } from '../../base/hash.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../base/json.ts';
import type { ProcessName } from '../../disk/host.ts';

/** The format that this program writes, and the newest that it reads. `docs/formats/journal.md` describes it. */
export const journalVersion = 2;

/** The first line of a segment: whose it is. */
export interface SegmentHeader {
  readonly version: number;
  /** The version of Pawl that wrote the segment; absent where it does not know its own, and before version 2. */
  readonly writer?: string;
  readonly actor: string;
  readonly epoch: number;
  readonly owner: ProcessName;
  readonly opened: string;
}

/** How much of an earlier segment counts. Epoch 0: nothing came before. */
export interface Pin {
  readonly epoch: number;
  readonly length: number;
  /** Of the last event that counts. */
  readonly seq: number;
}

/** One line of a journal whose checksum was verified. */
export type JournalRecord =
  | { readonly kind: 'header'; readonly header: SegmentHeader; readonly sum: string }
  | {
      readonly kind: 'pin';
      readonly pin: Pin;
      readonly seq: number;
      readonly prev: string;
      readonly sum: string;
    }
  /** The owner released the lock; `seq` is that of its last event. */
  | { readonly kind: 'closed'; readonly seq: number; readonly prev: string; readonly sum: string }
  /** `fields` are as written, without `prev` and `sum`; nothing but `seq` and `at` has been looked at. */
  | {
      readonly kind: 'event';
      readonly seq: number;
      readonly at: string;
      readonly fields: Readonly<Record<string, unknown>>;
      readonly prev: string;
      readonly sum: string;
    };

/** A line that says nothing that can be trusted. */
export interface DamagedLine {
  readonly kind: 'damaged';
  /**
   * - `unsealed`: it does not end in a checksum.
   * - `sum-differs`: it does, and the checksum is not that of the line.
   * - `malformed`: the checksum is right and the content makes no sense.
   */
  readonly damage: 'unsealed' | 'sum-differs' | 'malformed';
}

/** A line as it is written, newline included, and its checksum for the next one's `prev`. */
export interface SealedLine {
  readonly text: string;
  readonly sum: string;
}

/**
 * The members of version 1 keep their names in every later version, so that an older Pawl reads the version, refuses the
 * segment, and never takes it for a damaged one of its own.
 */
export function formatHeader({ version, writer, actor, epoch, owner, opened }: SegmentHeader): SealedLine {
  const header = { pawl: 'journal', version, writer, actor, epoch, holder: owner, opened };
  return seal(JSON.stringify(header).slice(0, -1));
}

/** `body` is the JSON text of the event's own fields: an object with at least one member. */
export function formatEvent(seq: number, at: string, body: string, prev: string): SealedLine {
  return seal(`{"seq":${seq},"at":"${at}",${body.slice(1, -1)},"prev":"${prev}"`);
}

export function formatPin(pin: Pin, prev: string): SealedLine {
  return seal(`{"pin":{"epoch":${pin.epoch},"length":${pin.length},"seq":${pin.seq}},"prev":"${prev}"`);
}

export function formatClosed(at: string, seq: number, prev: string): SealedLine {
  return seal(`{"closed":{"at":"${at}","seq":${seq}},"prev":"${prev}"`);
}

/** Reads one line, without its line end. Never throws. */
export function parseLine(line: Buffer): JournalRecord | DamagedLine {
  const sealed = line.length - sealBytes;
  const sum = sealed > 0 ? readSeal(line, sealed) : undefined;
  if (sum === undefined) return unsealed;
  if (checksum(line.subarray(0, sealed)) !== sum) return sumDiffers;
  const prev = readPrev(line, sealed);
  if (prev === undefined) return parseHeader(parseJson(`${line.toString('utf8', 0, sealed)}}`), sum);
  const bodyEnd = sealed - prevBytes - prev.length;
  return parseRecord(parseJson(`${line.toString('utf8', 0, bodyEnd)}}`), prev, sum);
}

/** The checksum in the last bytes of a text, which may be followed by a line end. Verifies nothing. */
export function readSumAtEnd(bytes: Buffer): string | undefined {
  let end = bytes.length;
  if (end > 0 && bytes[end - 1] === 0x0a) end--;
  if (end > 0 && bytes[end - 1] === 0x0d) end--;
  return end < sealBytes ? undefined : readSeal(bytes.subarray(0, end), end - sealBytes);
}

/** `,"sum":"` + 12 characters + `"}` */
export const sealBytes = 22;
/** `,"prev":"` + `"` */
const prevBytes = 10;
const sumPattern = /^[\w-]{12}$/;

const unsealed: DamagedLine = { kind: 'damaged', damage: 'unsealed' };
const sumDiffers: DamagedLine = { kind: 'damaged', damage: 'sum-differs' };
const malformed: DamagedLine = { kind: 'damaged', damage: 'malformed' };

function seal(open: string): SealedLine {
  const sum = checksum(open);
  return { text: `${open},"sum":"${sum}"}\n`, sum };
}

function readSeal(line: Buffer, sealed: number): string | undefined {
  const tail = line.toString('latin1', sealed);
  return tail.startsWith(',"sum":"') && tail.endsWith('"}') ? tail.slice(8, 20) : undefined;
}

/** Undefined for a line without `prev`: only a header has none. */
function readPrev(line: Buffer, sealed: number): string | undefined {
  const tail = line.toString('latin1', Math.max(0, sealed - prevBytes - 12), sealed);
  if (tail.startsWith(',"prev":"') && sumPattern.test(tail.slice(9, 21))) return tail.slice(9, 21);
  return tail.endsWith(',"prev":""') ? '' : undefined;
}

function parseRecord(value: unknown, prev: string, sum: string): JournalRecord | DamagedLine {
  if (!isJsonObject(value)) return malformed;
  const { seq, at } = value;
  if (isCount(seq) && seq > 0 && isTime(at)) return { kind: 'event', seq, at, fields: value, prev, sum };
  if (isJsonObject(value.pin)) return parsePin(value.pin, prev, sum);
  if (isJsonObject(value.closed) && isCount(value.closed.seq)) {
    return { kind: 'closed', seq: value.closed.seq, prev, sum };
  }
  return malformed;
}

function parsePin(value: JsonObject, prev: string, sum: string): JournalRecord | DamagedLine {
  const { epoch, length, seq } = value;
  if (!isCount(epoch) || !isCount(length) || !isCount(seq)) return malformed;
  return { kind: 'pin', pin: { epoch, length, seq }, seq, prev, sum };
}

function parseHeader(value: unknown, sum: string): JournalRecord | DamagedLine {
  if (!isJsonObject(value) || value.pawl !== 'journal') return malformed;
  const { version, writer, actor, epoch, opened } = value;
  const owner = parseProcess(value.holder);
  if (!isCount(version) || typeof actor !== 'string' || !isCount(epoch)) return malformed;
  if (owner === undefined || typeof opened !== 'string') return malformed;
  const header = { version, actor, epoch, owner, opened };
  return { kind: 'header', header: typeof writer === 'string' ? { ...header, writer } : header, sum };
}

function parseProcess(value: unknown): ProcessName | undefined {
  if (!isJsonObject(value)) return undefined;
  const { pid, started, boot, host } = value;
  if (!isCount(pid) || typeof started !== 'string' || typeof boot !== 'string' || typeof host !== 'string') {
    return undefined;
  }
  return { pid, started, boot, host };
}

/** A whole number that arithmetic keeps exact. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** RFC 3339 in UTC with milliseconds and four digits of year: the one spelling in which times sort as text. */
export function isTime(value: unknown): value is string {
  return typeof value === 'string' && timePattern.test(value);
}

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
