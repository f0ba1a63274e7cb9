import { basename } from 'node:path';
import type { Ids } from '../../base/ids.ts';
import type { Disk } from '../../disk/disk.ts';
import { isUnreadable } from '../../disk/unreadable.ts';
import { newTempName } from '../../disk/write.ts';
import { runFile } from '../../model/run-folder.ts';
import type { JournalMaintenance, JournalWriter, MovedFile, ScanVisitor } from '../journal.ts';
import { releaseReserve } from './journal/reserve.ts';
import { listSegments, readOpening, type Segment } from './journal/segment.ts';

export class FileMaintenance implements JournalMaintenance {
  readonly #disk: Disk;
  readonly #ids: Ids;
  readonly #runFolder: string;
  readonly #eventsFolder: string;

  /** `runFolder` is absolute. */
  constructor(disk: Disk, ids: Ids, runFolder: string) {
    this.#disk = disk;
    this.#ids = ids;
    this.#runFolder = runFolder;
    this.#eventsFolder = runFile(runFolder, 'events');
  }

  async remove(): Promise<void> {
    this.#disk.rename(this.#eventsFolder, `${this.#runFolder}/${newTempName(this.#ids)}`);
    await this.#disk.syncFolder(this.#runFolder);
  }

  freeReserve(actor: string, error: unknown): boolean {
    return releaseReserve(this.#disk, `${this.#eventsFolder}/${actor}`, error);
  }

  /**
   * A folder, a link or a copy in the place of a segment holds no line. The newest epoch is the caller's own; what comes
   * before it was pinned, or is passed over, with or without a file.
   */
  moveUnreadable(actor: string, { fencingNumber }: Pick<JournalWriter, 'fencingNumber'>): MovedFile[] {
    const segments = this.#segments(actor);
    const epochs = new Set(segments.map(({ epoch }) => epoch));
    const unusable = segments.filter(
      (segment) => segment.epoch < fencingNumber && this.#isUnusable(segment, actor, epochs),
    );
    const damaged = runFile(this.#runFolder, 'damaged');
    return unusable.map(({ path: from }) => {
      const to = this.#freeName(`${damaged}/${actor}-${basename(from)}`);
      this.#disk.makeFolder(damaged);
      this.#disk.rename(from, to);
      return { from, to };
    });
  }

  /** Also lines that do not count, that are damaged or that only a later version understands. */
  scan(overlapBytes: number, { piece, unreadable }: ScanVisitor): void {
    for (const actor of this.#disk.list(this.#eventsFolder) ?? []) {
      for (const { path } of this.#segments(actor)) {
        try {
          for (let offset = 0; ; offset += pieceBytes - overlapBytes) {
            const bytes = this.#disk.readRange(path, offset, pieceBytes);
            if (bytes === undefined) break;
            piece(bytes);
            if (bytes.length < pieceBytes) break;
          }
        } catch (error) {
          if (!isUnreadable(error)) throw error;
          unreadable(path);
        }
      }
    }
  }

  #segments(actor: string): Segment[] {
    return listSegments(this.#disk, `${this.#eventsFolder}/${actor}`);
  }

  #isUnusable(segment: Segment, actor: string, epochs: ReadonlySet<number>): boolean {
    const stat = this.#disk.stat(segment.path);
    if (stat?.kind !== 'file' || stat.size === 0) return true;
    const { copyOf } = readOpening(this.#disk, segment, actor);
    return copyOf !== undefined && epochs.has(copyOf);
  }

  #freeName(path: string): string {
    let free = path;
    for (let number = 2; this.#disk.stat(free) !== undefined; number++) free = `${path}.${number}`;
    return free;
  }
}

const pieceBytes = 1024 * 1024;
