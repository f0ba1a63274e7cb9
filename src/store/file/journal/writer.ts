import { type Clock, formatTime } from '../../../base/clock.ts';
import { DiskError, type OpenFile } from '../../../disk/disk.ts';
import { lineBytesMax } from '../../../disk/line-reader.ts';
import { writeAll } from '../../../disk/write.ts';
import type { EventBody, StoredEvent } from '../../../model/event.ts';
import { JournalFenced } from '../../errors.ts';
import type { JournalWriter, WriterOptions } from '../../journal.ts';
import type { Position } from '../../position.ts';
import { classifyEvent } from '../../records/event-check.ts';
import { formatClosed, formatEvent } from '../../records/line.ts';
import { releaseReserve } from './reserve.ts';
import { segmentPath } from './segment.ts';
import {
  getActorFolder,
  type OpenSegment,
  openEpoch,
  type SegmentMaker,
  takeEpoch,
} from './segment-maker.ts';
import { readNewestOwner } from './segment-owner.ts';

export interface FileWriterOptions extends WriterOptions {
  /** The writer goes on in a new segment when one has grown to this size. */
  readonly segmentBytesMax?: number | undefined;
}

/**
 * Appends to one actor's journal for as long as this process holds it. Appends that come together are written with
 * one write and one sync. An append resolves when the order of durability is through: bytes into the store,
 * record on disk, fence still closed. A failed write or sync ends the writer: the kernel may have dropped what it
 * says is clean, so nothing after it could be trusted.
 */
export class FileWriter implements JournalWriter {
  readonly #maker: SegmentMaker;
  readonly #actorFolder: string;
  readonly #beforeCommit: (() => Promise<void>) | undefined;
  readonly #recorded: WriterOptions['recorded'];
  readonly #segmentBytesMax: number;
  #file: OpenFile;
  #path: string;
  #position: Position;
  #fencePath: string;
  #time: HybridTime;
  #queue: Append[] = [];
  #committing: Promise<void> | undefined;
  #closed: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  /** `notBeforeMs`: later than every event that has been read, of any actor. See `claimJournal`. */
  constructor(
    maker: SegmentMaker,
    segment: OpenSegment,
    notBeforeMs: number,
    options: FileWriterOptions = {},
  ) {
    this.#maker = maker;
    this.#actorFolder = getActorFolder(maker);
    this.#beforeCommit = options.beforeCommit;
    this.#recorded = options.recorded;
    this.#segmentBytesMax = options.segmentBytesMax ?? segmentBytesUsual;
    this.#time = { ms: notBeforeMs, text: formatTime(notBeforeMs) };
    this.#file = segment.file;
    this.#path = segment.path;
    this.#position = segment.position;
    this.#fencePath = this.#nextPath();
  }

  get fencingNumber(): number {
    return this.#position.epoch;
  }

  get lastSeq(): number {
    return this.#position.seq;
  }

  /** Of the segment. */
  get sizeBytes(): number {
    return this.#position.length;
  }

  get position(): Position {
    return this.#position;
  }

  append(events: readonly EventBody[]): Promise<StoredEvent[]> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#closed !== undefined) throw new Error('append to a closed journal');
      // What an event says is fixed here, so that its caller may do with it what it likes.
      this.#queue.push(new Append(events, events.map(textOf), resolve, reject));
      this.#committing ??= this.#commitAll();
    });
  }

  close(): Promise<void> {
    this.#closed ??= this.#closeAfter(this.#committing);
    return this.#closed;
  }

  async #commitAll(): Promise<void> {
    // Everything that is ready in this turn goes together.
    await new Promise(setImmediate);
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      try {
        await this.#commit(batch);
      } catch (error) {
        this.#failure = { error };
        for (const append of batch) append.reject(error);
      }
      if (this.#failure !== undefined) {
        for (const append of this.#queue.splice(0)) append.reject(this.#failure.error);
      }
    }
    this.#committing = undefined;
  }

  async #commit(batch: readonly Append[]): Promise<void> {
    if (this.#beforeCommit !== undefined) await this.#beforeCommit();
    if (this.#position.length >= this.#segmentBytesMax) await this.#goOnInNextEpoch();
    let lines: Lines;
    try {
      lines = this.#write(batch);
    } catch (error) {
      if (!releaseReserve(this.#maker.disk, this.#actorFolder, error)) throw error;
      // There is room for one last commit. It goes into a segment of its own: the pin voids what was half written.
      await this.#goOnInNextEpoch();
      lines = this.#write(batch);
      this.#failure = { error };
    }
    if (this.#maker.durable) await this.#file.sync();
    // After the sync, because a process that took over between the check and the sync would not have read these lines.
    this.#demandUnfenced();
    this.#demandInPlace();
    this.#position = lines.position;
    for (const [index, append] of batch.entries()) append.resolve(lines.events[index] ?? []);
    // After the answer, so that a slow reader holds up the next commit and not the step that was recorded.
    const reading = this.#recorded?.(lines.events.flat());
    if (reading !== undefined) await reading;
  }

  #write(batch: readonly Append[]): Lines {
    this.#time = advance(this.#time, this.#maker.clock);
    const lines = formatLines(batch, this.#position, this.#time.text, this.#maker.actor);
    writeAll(this.#file, lines.bytes, this.#path);
    return lines;
  }

  #nextPath(): string {
    return segmentPath(this.#actorFolder, this.#position.epoch + 1);
  }

  #demandUnfenced(): void {
    if (this.#maker.disk.stat(this.#fencePath) !== undefined) this.#throwFenced();
  }

  /** A file that was removed meanwhile takes every line and sync, and is never found again. */
  #demandInPlace(): void {
    if (this.#maker.disk.stat(this.#path) === undefined) throw new DiskError('ENOENT', 'append', this.#path);
  }

  #throwFenced(): never {
    const { disk, host, actor } = this.#maker;
    throw new JournalFenced(actor, this.fencingNumber, readNewestOwner(disk, host, this.#actorFolder, actor));
  }

  async #goOnInNextEpoch(): Promise<void> {
    const epoch = this.#position.epoch + 1;
    const headerBytes = await takeEpoch(this.#maker, epoch);
    if (headerBytes === undefined) this.#throwFenced();
    const { file, path, position } = await openEpoch(this.#maker, epoch, headerBytes, this.#position);
    this.#file.close();
    this.#file = file;
    this.#path = path;
    this.#position = position;
    this.#fencePath = this.#nextPath();
  }

  async #closeAfter(committing: Promise<void> | undefined): Promise<void> {
    await committing;
    try {
      if (this.#failure === undefined) {
        const at = formatTime(this.#maker.clock.now());
        const line = formatClosed(at, this.#position.seq, this.#position.sum);
        const bytes = Buffer.from(line.text);
        writeAll(this.#file, bytes, this.#path);
        if (this.#maker.durable) await this.#file.sync();
        this.#position = { ...this.#position, length: this.#position.length + bytes.length, sum: line.sum };
      }
    } finally {
      this.#file.close();
    }
  }
}

/**
 * Events that wait for their commit. A class, because V8 takes literals of this kind for long-lived and puts them, with
 * everything they refer to, where only a full collection finds them: the memory of a run would grow with every step.
 */
class Append {
  readonly events: readonly EventBody[];
  /** Each as JSON. */
  readonly texts: readonly string[];
  readonly resolve: (events: StoredEvent[]) => void;
  readonly reject: (error: unknown) => void;

  constructor(
    events: readonly EventBody[],
    texts: readonly string[],
    resolve: (events: StoredEvent[]) => void,
    reject: (error: unknown) => void,
  ) {
    this.events = events;
    this.texts = texts;
    this.resolve = resolve;
    this.reject = reject;
  }
}

/** A commit as it is written. */
interface Lines {
  readonly bytes: Buffer;
  /** By append. */
  readonly events: readonly StoredEvent[][];
  /** Behind the last line. */
  readonly position: Position;
}

/** The wall clock, but never before what was read or written; its text is made once a millisecond. */
interface HybridTime {
  readonly ms: number;
  readonly text: string;
}

const segmentBytesUsual = 64 * 1024 * 1024;
/** For the members that a line has besides the event's own: numbers, a time and two checksums. */
const frameBytesMax = 256;

/** Refuses what could not be read again: that is a bug of ours, and must not become damage. */
function textOf(event: EventBody): string {
  // An event that was stored already has a number, and would get a second one.
  if ('seq' in event || classifyEvent(event) !== 'known') throw new Error(`malformed event: ${event.type}`);
  const text = JSON.stringify(event);
  // No character takes more than three bytes for each of its UTF-16 units.
  if (
    text.length * 3 + frameBytesMax > lineBytesMax &&
    Buffer.byteLength(text) + frameBytesMax > lineBytesMax
  ) {
    throw new Error(`event too large: ${event.type}`);
  }
  return text;
}

function advance(time: HybridTime, clock: Clock): HybridTime {
  const ms = clock.now();
  return ms > time.ms ? { ms, text: formatTime(ms) } : time;
}

function formatLines(batch: readonly Append[], from: Position, at: string, actor: string): Lines {
  let { seq, sum } = from;
  let text = '';
  const events = batch.map((append) =>
    append.events.map((event, index) => {
      seq += 1;
      const line = formatEvent(seq, at, append.texts[index] ?? '', sum);
      sum = line.sum;
      text += line.text;
      // The event comes last: a spread in front gives each object a shape of its own, which costs microseconds.
      return { seq, at, actor, epoch: from.epoch, ...event };
    }),
  );
  const bytes = Buffer.from(text);
  return { bytes, events, position: { epoch: from.epoch, length: from.length + bytes.length, seq, sum, at } };
}
