import type { Result } from '../base/result.ts';
import type { ProcessName } from '../disk/host.ts';
import type { StoredEvent } from '../model/event.ts';
import type { Holder } from '../model/failure.ts';
import type { Claim, ClaimFailure } from './file/journal/claim.ts';
import type { JournalReading } from './file/journal/read.ts';
import type { Snapshot } from './file/journal/snapshot.ts';
import type { WriterOptions } from './file/journal/writer.ts';
import type { ActorHead, Position, Positions } from './position.ts';

/**
 * The journal of one run with its lock and its snapshot, wherever they are kept. The files of this machine are one
 * implementation (`file-journal.ts`); nothing outside this folder knows in which files or rows the events are.
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
  /** A cursor for a later process, which checks by it that the past is unchanged. */
  lastingCursor(cursor: Positions): Positions;
  /** Takes the lock of an actor, and the right to append to its events. */
  claim(request: ClaimRequest): Promise<Result<Claim, ClaimFailure>>;
  /** The process that has an actor's lock; undefined if it is free or its owner is dead. */
  owner(actor: string): Holder | undefined;
  /** Every process that has a lock of this run and did not release it. It may be dead. */
  unreleased(): ProcessName[];
  readSnapshot(): Snapshot | undefined;
  writeSnapshot(snapshot: Snapshot): void;
}

export interface JournalNews {
  readonly events: readonly StoredEvent[];
  readonly actors: ReadonlyMap<string, Position>;
  /** The same places, with the owner of each actor's lock. */
  readonly heads: ReadonlyMap<string, ActorHead>;
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
