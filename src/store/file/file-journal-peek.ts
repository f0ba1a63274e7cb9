import { type Disk, DiskError } from '../../disk/disk.ts';
import { runFile } from '../../model/run-folder.ts';
import type { JournalPeek, LastOwner } from '../journal.ts';
import type { Position, Positions } from '../position.ts';
import { classifyLog } from '../records/log-kind.ts';
import {
  endsWithRecord,
  isClosed,
  listSegments,
  readOpening,
  type Segment,
  segmentPath,
} from './journal/segment.ts';

export class FileJournalPeek implements JournalPeek {
  readonly #disk: Disk;
  readonly #eventsFolder: string;

  /** `runFolder` is absolute. */
  constructor(disk: Disk, runFolder: string) {
    this.#disk = disk;
    this.#eventsFolder = runFile(runFolder, 'events');
  }

  hasEvents(): boolean {
    if (this.#disk.stat(this.#eventsFolder)?.kind !== 'folder') return false;
    return (this.#disk.list(this.#eventsFolder) ?? []).some(
      (actor) => listSegments(this.#disk, `${this.#eventsFolder}/${actor}`).length > 0,
    );
  }

  reaches(actor: string, position: Position): boolean {
    if (position.epoch === 0 || position.sum === '') return false;
    return endsWithRecord(
      this.#disk,
      segmentPath(`${this.#eventsFolder}/${actor}`, position.epoch),
      position,
    );
  }

  endsAt(cursor: Positions): boolean {
    try {
      const actors = this.#disk.list(this.#eventsFolder) ?? [];
      return actors.length === cursor.size && actors.every((actor) => this.#endsAt(actor, cursor));
    } catch (error) {
      if (error instanceof DiskError) return false;
      throw error;
    }
  }

  lastOwner(actor: string): LastOwner | undefined {
    const newest = listSegments(this.#disk, `${this.#eventsFolder}/${actor}`).at(-1);
    const header = newest && readOpening(this.#disk, newest, actor).header;
    if (newest === undefined || typeof header !== 'object') return undefined;
    return { process: header.owner, isReleased: isClosed(this.#disk, newest) };
  }

  /**
   * Pawl takes the next higher number whatever it finds, so another tool's files with such names lie below the first or
   * above the last of its own: the many between are not looked into.
   */
  ownFiles(actor: string): ReadonlySet<string> {
    const segments = listSegments(this.#disk, `${this.#eventsFolder}/${actor}`);
    const isOwn = ({ path }: Segment) => classifyLog(this.#disk, path) !== 'foreign';
    const first = segments.findIndex(isOwn);
    const own = first < 0 ? [] : segments.slice(first, segments.findLastIndex(isOwn) + 1);
    return new Set(own.map(({ path }) => path));
  }

  #endsAt(actor: string, cursor: Positions): boolean {
    const head = cursor.get(actor);
    const newest = listSegments(this.#disk, `${this.#eventsFolder}/${actor}`).at(-1);
    if (newest === undefined || newest.epoch !== head?.epoch) return false;
    return this.#disk.stat(newest.path)?.size === head.length;
  }
}
