import { basename } from 'node:path';
import type { Ids } from '../../../base/ids.ts';
import type { Disk } from '../../../disk/disk.ts';
import { isUnreadable } from '../../../disk/unreadable.ts';
import { newTempName } from '../../../disk/write.ts';
import { runFile } from '../../../model/run-folder.ts';
import { releaseReserve } from './reserve.ts';
import { listSegments, readOpening, type Segment } from './segment.ts';

/*
 * Care of the files that a run's journal consists of, for `pawl gc`, `reset` and `repair`. Folders of runs are absolute
 * here.
 */

/** True if any actor has written to the journal. */
export function hasSegments(disk: Disk, runFolder: string): boolean {
  const events = runFile(runFolder, 'events');
  if (disk.stat(events)?.kind !== 'folder') return false;
  return (disk.list(events) ?? []).some((actor) => listSegments(disk, `${events}/${actor}`).length > 0);
}

/** Gives back the room that the run has set aside; false if that does not help against the error. */
export function releaseRunReserve(disk: Disk, runFolder: string, actor: string, error: unknown): boolean {
  return releaseReserve(disk, `${runFile(runFolder, 'events')}/${actor}`, error);
}

/** Whole or not at all, because a journal of which a part is gone would be a damaged run for ever. */
export async function removeJournalFiles(disk: Disk, ids: Ids, runFolder: string): Promise<void> {
  disk.rename(runFile(runFolder, 'events'), `${runFolder}/${newTempName(ids)}`);
  await disk.syncFolder(runFolder);
}

/**
 * Every byte of every segment, in pieces that overlap so that no word of up to `overlapBytes` is cut: also lines that do
 * not count, that are damaged or that only a later version understands.
 */
export function readAllPieces(
  disk: Disk,
  runFolder: string,
  overlapBytes: number,
  { piece, unreadable }: { piece(bytes: Uint8Array): void; unreadable(path: string): void },
): void {
  const events = runFile(runFolder, 'events');
  for (const actor of disk.list(events) ?? []) {
    for (const { path } of listSegments(disk, `${events}/${actor}`)) {
      try {
        for (let offset = 0; ; offset += pieceBytes - overlapBytes) {
          const bytes = disk.readRange(path, offset, pieceBytes);
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

const pieceBytes = 1024 * 1024;

/** A folder, a link or a copy in the place of a segment holds no line: it is moved to `damaged/`, out of the reader's way. */
export function moveUnusableSegments(
  disk: Disk,
  runFolder: string,
  actor: string,
  /** The newest epoch is the caller's own. What comes before it was pinned, or is passed over, with or without a file. */
  beforeEpoch: number,
): { readonly from: string; readonly to: string }[] {
  const segments = listSegments(disk, `${runFile(runFolder, 'events')}/${actor}`);
  const epochs = new Set(segments.map(({ epoch }) => epoch));
  const unusable = segments.filter(
    (segment) => segment.epoch < beforeEpoch && isUnusable(disk, segment, actor, epochs),
  );
  const damaged = runFile(runFolder, 'damaged');
  return unusable.map(({ path: from }) => {
    const to = freeName(disk, `${damaged}/${actor}-${basename(from)}`);
    disk.makeFolder(damaged);
    disk.rename(from, to);
    return { from, to };
  });
}

function isUnusable(disk: Disk, segment: Segment, actor: string, epochs: ReadonlySet<number>): boolean {
  const stat = disk.stat(segment.path);
  if (stat?.kind !== 'file' || stat.size === 0) return true;
  const { copyOf } = readOpening(disk, segment, actor);
  return copyOf !== undefined && epochs.has(copyOf);
}

function freeName(disk: Disk, path: string): string {
  let free = path;
  for (let number = 2; disk.stat(free) !== undefined; number++) free = `${path}.${number}`;
  return free;
}
