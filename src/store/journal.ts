import type { Clock } from '../base/clock.ts';
import type { JsonValue } from '../base/json.ts';
import type { Result } from '../base/result.ts';
import type { ProcessName } from '../disk/host.ts';
import type { EventBody, StoredEvent } from '../model/event.ts';
import type { Failure, Finding, LockOwner } from '../model/failure.ts';
import type { ActorHead, Position, Positions } from './position.ts';

/**
 * The journal of one run with its locks and its snapshot, wherever they are kept. The files of this machine are one
 * implementation (`file/file-journal.ts`); only `open-store.ts` chooses, and only `file/` knows in which files the events
 * are.
 *
 * A cursor (`Positions`) is opaque to its users: they keep it and pass it back. Only `seq` and `at` of a position have a
 * meaning outside.
 */
export interface RunJournal {
  /** For messages: the place of the journal, relative to the workspace. */
  readonly shownPlace: string;
  /** False before the first claim. A place that cannot be read throws a `DiskError`. */
  exists(): boolean;
  /** From a cursor where that still holds; otherwise from the first event. */
  read(from?: Positions): JournalReading;
  /** Every usable event from the first one on. */
  events(): Generator<StoredEvent>;
  /** The first event of a type of one actor; reads no further. */
  first<T extends StoredEvent['type']>(actor: string, type: T): Extract<StoredEvent, { type: T }> | undefined;
  /** What was appended behind a cursor, of all actors or of all but one. */
  readNews(from: Positions, except?: string): JournalNews;
  /** What is appended behind a cursor, as it comes; an empty piece after each look without news. Ends with the signal. */
  follow(from: Positions, options: FollowOptions): AsyncGenerator<JournalNews>;
  /** A cursor for a later process, which checks by it that the past is unchanged. */
  lastingCursor(cursor: Positions): Positions;
  /** Takes the lock of an actor, and the right to append to its events. */
  claim(request: ClaimRequest): Promise<Result<Claim, ClaimFailure>>;
  /** The process that has an actor's lock; undefined if it is free or its owner is dead. */
  owner(actor: string): LockOwner | undefined;
  /** Every process that has a lock of this run and did not release it. It may be dead. */
  unreleased(): ProcessName[];
  readSnapshot(): Snapshot | undefined;
  writeSnapshot(snapshot: Snapshot): void;
  readonly maintenance: JournalMaintenance;
}

/** A run's journal while it is read. Reading changes nothing, also where there is damage. */
export interface JournalReading {
  /** The events start behind `from`. False: they start at the first, because `from` was not given or does not hold. */
  readonly continues: boolean;
  /** Every usable event that has not been given yet, by time, actor and sequence. */
  events(): Generator<StoredEvent>;
  /** Reads what is left, and reports how it went. */
  finish(): JournalEnd;
}

export interface JournalEnd {
  readonly findings: readonly Finding[];
  /** Where each actor's journal ends; as positions, where the next reading may start. */
  readonly actors: ReadonlyMap<string, ActorHead>;
}

export interface JournalNews {
  readonly events: readonly StoredEvent[];
  readonly actors: ReadonlyMap<string, Position>;
  /** The same places, with the owner of each actor's lock. */
  readonly heads: ReadonlyMap<string, ActorHead>;
}

export interface FollowOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly stop: AbortSignal;
}

/** Questions to a journal that read a few bytes of it, for callers who have milliseconds: hooks, the status line, the brief. */
export interface JournalPeek {
  /** True if any actor has written to the journal. */
  hasEvents(): boolean;
  /** True if an actor's events are there at least as far as a position. */
  reaches(actor: string, position: Position): boolean;
  /** True if nothing was appended behind a cursor, by any actor. A journal that cannot be read may have more. */
  endsAt(cursor: Positions): boolean;
  /** The process that took an actor's lock last; undefined if there is none, or its name cannot be read. */
  lastOwner(actor: string): LastOwner | undefined;
  /** Files of an actor that are the journal's own, where other tools may write beside them. */
  ownFiles(actor: string): ReadonlySet<string>;
}

export interface LastOwner {
  readonly process: ProcessName;
  readonly isReleased: boolean;
}

export interface ClaimRequest extends WriterOptions {
  readonly actor: string;
  /** For naming the run in a failure. */
  readonly run: string;
  /** Sync before anything is acknowledged. False: it survives a kill, and not a power cut. */
  readonly durable: boolean;
  /** Take over from an owner that is alive, or that may be. */
  readonly takeover?: boolean | undefined;
  /** What has been read already; only what came after it is read again. */
  readonly from?: Positions | undefined;
}

export interface WriterOptions {
  /** Makes durable what the events of a commit name, because a record must never be there before its bytes. */
  readonly beforeCommit?: (() => Promise<void>) | undefined;
  /** Receives the events of a commit once they are acknowledged. What it returns is waited for before the next commit. */
  readonly recorded?: ((events: readonly StoredEvent[]) => Promise<void> | undefined) | undefined;
}

/** An actor's lock that this process has, and what the journal says. */
export interface Claim extends JournalEnd {
  readonly writer: JournalWriter;
  /** `events` come after `from`. False: they are all there are, and what was read before is to be forgotten. */
  readonly continues: boolean;
  /** Of every actor, in order. */
  readonly events: readonly StoredEvent[];
}

/** `journal-damaged` only for a format that is not known here: a journal that cannot be read cannot be continued. */
export type ClaimFailure = Extract<Failure, { reason: 'run-held' | 'journal-damaged' }>;

/** Appends to the events of one actor. */
export interface JournalWriter {
  /** Of the lock: it grows with every owner. */
  readonly fencingNumber: number;
  /** Of the last event that was acknowledged; 0 before the first. */
  readonly lastSeq: number;
  /** Behind the last event that was acknowledged. */
  readonly position: Position;
  /**
   * Resolves when all of the events are durable, in this order. Rejects with `JournalFenced` or a `DiskError`, and from
   * then on always with the same; what a crash leaves of events that were never acknowledged may still be read.
   */
  append(events: readonly EventBody[]): Promise<StoredEvent[]>;
  /** Waits for what was appended, and releases the lock. Never needed for what was acknowledged. */
  close(): Promise<void>;
}

/** The fold of a journal up to these positions. It can be deleted at any time. */
export interface Snapshot {
  readonly positions: Positions;
  /** In parts, so that a large one is never held as a whole. Only the code that folds knows what is in it. */
  readonly body: Iterable<JsonValue>;
}

/** For `pawl gc`, `reset` and `repair`, which look after the place where events are kept. */
export interface JournalMaintenance {
  /** Removes all of it or nothing, because half a journal would be a run that stays damaged. */
  remove(): Promise<void>;
  /** Gives back the room that is reserved for a last record; false if that does not help against the error. */
  freeReserve(actor: string, error: unknown): boolean;
  /** Moves places of an actor in which no event can be read out of the reader's way. */
  moveUnreadable(actor: string, writer: Pick<JournalWriter, 'fencingNumber'>): MovedFile[];
  /** Every byte of every event, in pieces that overlap so that no word of up to `overlapBytes` is cut. */
  scan(overlapBytes: number, visitor: ScanVisitor): void;
}

export interface MovedFile {
  readonly from: string;
  readonly to: string;
}

export interface ScanVisitor {
  piece(bytes: Uint8Array): void;
  unreadable(path: string): void;
}
