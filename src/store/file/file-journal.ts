import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import type { Result } from '../../base/result.ts';
import type { Disk } from '../../disk/disk.ts';
import type { Host, ProcessName } from '../../disk/host.ts';
import type { StoredEvent } from '../../model/event.ts';
import type { LockOwner } from '../../model/failure.ts';
import { runFile } from '../../model/run-folder.ts';
import type {
  Claim,
  ClaimFailure,
  ClaimRequest,
  FollowOptions,
  JournalMaintenance,
  JournalNews,
  JournalReading,
  RunJournal,
  Snapshot,
} from '../journal.ts';
import type { Positions } from '../position.ts';
import { FileMaintenance } from './file-maintenance.ts';
import { claimJournal } from './journal/claim.ts';
import { readFirst, readJournal, readNews, withBytesBefore } from './journal/read.ts';
import { isClosed, listSegments, readOpening, type Segment } from './journal/segment.ts';
import { findSegmentOwner } from './journal/segment-owner.ts';
import { readSnapshot, writeSnapshot } from './journal/snapshot.ts';

/** What the journal of a run needs of its environment. */
export interface JournalWorld {
  readonly disk: Disk;
  readonly host: Host;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The version of Pawl, which the first line of a segment names. */
  readonly version?: (() => string | undefined) | undefined;
}

/** A run's journal as segments in `events/` of the run's folder (`docs/formats/journal.md`). */
export class FileJournal implements RunJournal {
  readonly shownPlace: string;
  readonly maintenance: JournalMaintenance;
  readonly #world: JournalWorld;
  readonly #root: string;
  readonly #eventsFolder: string;
  readonly #snapshotPath: string;

  /** `root` is the workspace, absolute; `folder` is the run's, relative to it. */
  constructor(world: JournalWorld, root: string, folder: string) {
    const { disk, host, clock, ids, version } = world;
    this.#world = { disk, host, clock, ids, version };
    this.#root = root;
    this.shownPlace = runFile(folder, 'events');
    this.#eventsFolder = `${root}/${this.shownPlace}`;
    this.maintenance = new FileMaintenance(disk, ids, `${root}/${folder}`);
    this.#snapshotPath = `${root}/${runFile(folder, 'snapshot')}`;
  }

  exists(): boolean {
    return this.#world.disk.stat(this.#eventsFolder)?.kind === 'folder';
  }

  read(from?: Positions): JournalReading {
    return readJournal(this.#world.disk, this.#eventsFolder, { from, base: this.#root });
  }

  events(): Generator<StoredEvent> {
    return this.read().events();
  }

  first<T extends StoredEvent['type']>(
    actor: string,
    type: T,
  ): Extract<StoredEvent, { type: T }> | undefined {
    return readFirst(this.#world.disk, this.#eventsFolder, actor, type);
  }

  readNews(from: Positions, except?: string): JournalNews {
    return readNews(this.#world.disk, this.#eventsFolder, from, except);
  }

  /** Looks again and again, because notices of the system get lost on network disks and in containers. */
  async *follow(from: Positions, { clock, stop }: FollowOptions): AsyncGenerator<JournalNews> {
    const cursor = new Map(from);
    while (!stop.aborted) {
      const news = this.readNews(cursor);
      for (const [actor, position] of news.actors) cursor.set(actor, position);
      yield news;
      await clock.sleep(lookEveryMs, stop);
    }
  }

  lastingCursor(cursor: Positions): Positions {
    return withBytesBefore(this.#world.disk, this.#eventsFolder, cursor);
  }

  claim(request: ClaimRequest): Promise<Result<Claim, ClaimFailure>> {
    return claimJournal({
      ...this.#world,
      writer: this.#world.version?.(),
      eventsFolder: this.#eventsFolder,
      base: this.#root,
      ...request,
    });
  }

  owner(actor: string): LockOwner | undefined {
    const { disk, host } = this.#world;
    const newest = this.#newestSegment(actor);
    return newest && findSegmentOwner(disk, host, newest, actor);
  }

  unreleased(): ProcessName[] {
    const { disk } = this.#world;
    return (disk.list(this.#eventsFolder) ?? []).flatMap((actor) => {
      const newest = this.#newestSegment(actor);
      if (newest === undefined || isClosed(disk, newest)) return [];
      const { header } = readOpening(disk, newest, actor);
      return typeof header === 'object' ? [header.owner] : [];
    });
  }

  readSnapshot(): Snapshot | undefined {
    return readSnapshot(this.#world.disk, this.#snapshotPath);
  }

  writeSnapshot(snapshot: Snapshot): void {
    writeSnapshot(this.#world.disk, this.#snapshotPath, snapshot);
  }

  #newestSegment(actor: string): Segment | undefined {
    return listSegments(this.#world.disk, `${this.#eventsFolder}/${actor}`).at(-1);
  }
}

/** Soon enough for a person, and seldom enough that a look costs nothing. */
const lookEveryMs = 150;
