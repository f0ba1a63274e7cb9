import type { Disk, OpenFile } from '../disk/disk.ts';
import { writeAll } from '../disk/write.ts';
import type { StoredEvent } from '../model/event.ts';
import type { ProjectionTroubles } from './projection-timer.ts';

export interface AuditLogOptions {
  readonly disk: Disk;
  /** Absolute. */
  readonly path: string;
  /** What a line calls its unit. */
  readonly unitKey: string;
  /** The same path as the manifest names it, and where trouble with it is kept. */
  readonly shown: string;
  readonly troubles: ProjectionTroubles;
}

/**
 * Every event of the runner as a line, for people and their tools; what others write stands in their own journals. A
 * projection, but one that is only ever appended to: what stands in it stays a prefix of what it becomes. A line says
 * its event's number, so that what a crash left out is added later, and nothing twice.
 */
export class AuditLog {
  readonly #options: AuditLogOptions;
  #file: OpenFile | undefined;
  /** Events that are not in the file yet. Undefined: they are left to the next start, which finds them in the journal. */
  #pending: readonly StoredEvent[] | undefined = [];
  /** A write has failed: the file may hold a part of what is pending. */
  #isTorn = false;

  private constructor(options: AuditLogOptions) {
    this.#options = options;
  }

  /** Opens the log and adds what the journal has and the log has not. */
  static open(options: AuditLogOptions, lastSeq: number, journal: () => Iterable<StoredEvent>): AuditLog {
    const log = new AuditLog(options);
    if (!options.troubles.attempt(options.shown, () => log.#open(lastSeq, journal))) log.#pending = undefined;
    return log;
  }

  add(events: readonly StoredEvent[]): void {
    if (events.length === 0 || this.#pending === undefined) return;
    const { shown, troubles } = this.#options;
    this.#pending = this.#pending.length === 0 ? events : [...this.#pending, ...events];
    if (troubles.attempt(shown, () => this.#writePending())) this.#pending = [];
    else if (this.#pending.length > pendingMax) this.#pending = undefined;
  }

  close(): void {
    const { shown, troubles } = this.#options;
    const pending = this.#pending ?? [];
    if (pending.length > 0) troubles.attempt(shown, () => this.#writePending());
    // What cannot be closed has said before what is wrong with it.
    try {
      this.#file?.close();
    } catch (error) {
      troubles.note(shown, error);
    }
  }

  #open(lastSeq: number, journal: () => Iterable<StoredEvent>): void {
    const { disk, path } = this.#options;
    disk.makeFolder(path.slice(0, path.lastIndexOf('/')), 'shared');
    const end = readEnd(disk, path);
    this.#file = disk.append(path, 'shared');
    // A line that a crash cut off stays as it is: the next one starts on its own.
    if (end.isCutOff) writeAll(this.#file, newline, path);
    if (end.seq >= lastSeq) return;
    let missing: StoredEvent[] = [];
    for (const event of journal()) {
      if (event.seq > end.seq) missing.push(event);
      if (missing.length < eventsAtOnce) continue;
      this.#write(missing);
      missing = [];
    }
    this.#write(missing);
  }

  #writePending(): void {
    const { disk, path } = this.#options;
    const end = this.#isTorn ? readEnd(disk, path) : undefined;
    if (end?.isCutOff && this.#file !== undefined) writeAll(this.#file, newline, path);
    const pending = this.#pending ?? [];
    this.#isTorn = true;
    this.#write(end === undefined ? pending : pending.filter(({ seq }) => seq > end.seq));
    this.#isTorn = false;
  }

  #write(events: readonly StoredEvent[]): void {
    if (events.length === 0 || this.#file === undefined) return;
    const { path, unitKey } = this.#options;
    const lines = events.map((event) => `${JSON.stringify(lineOf(event, unitKey))}\n`);
    writeAll(this.#file, new TextEncoder().encode(lines.join('')), path);
  }
}

/** A log that cannot be written for long does not keep the whole run in memory. */
const pendingMax = 10_000;
/** A long history is not held in memory. */
const eventsAtOnce = 1000;

const newline = new TextEncoder().encode('\n');
const endBytesFirst = 64 * 1024;
/** Longer than a few of the longest lines there can be. */
const endBytesMax = 16 * 1024 * 1024;

/**
 * Where the log's last line that can be read says it stands. Whole without its line break it counts too, for it will
 * get one; a line that says nothing is passed over.
 */
function readEnd(disk: Disk, path: string): { readonly seq: number; readonly isCutOff: boolean } {
  const size = disk.stat(path)?.size ?? 0;
  for (let length = endBytesFirst; ; length *= 4) {
    const from = Math.max(0, size - length);
    const bytes = disk.readRange(path, from, length) ?? new Uint8Array();
    const lines = new TextDecoder().decode(bytes).split('\n');
    const isCutOff = lines.at(-1) !== '';
    // The beginning of the first line may not have been read.
    for (let at = lines.length - 1; at >= (from > 0 ? 1 : 0); at--) {
      const seq = seqOf(lines[at] ?? '');
      if (seq !== undefined) return { seq, isCutOff };
    }
    if (from === 0 || length >= endBytesMax) return { seq: 0, isCutOff };
  }
}

function seqOf(line: string): number | undefined {
  try {
    const { seq } = JSON.parse(line) as { seq?: unknown };
    return typeof seq === 'number' ? seq : undefined;
  } catch {
    return undefined;
  }
}

function lineOf(
  { actor: _actor, epoch: _epoch, seq, at, type, ...rest }: StoredEvent,
  unitKey: string,
): object {
  const { unit, ...facts } = rest as { unit?: string };
  return { seq, at, type, ...(unit !== undefined && { [unitKey]: unit }), ...facts };
}
