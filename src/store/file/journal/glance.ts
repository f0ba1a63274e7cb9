import { type Disk, DiskError } from '../../../disk/disk.ts';
import type { ProcessName } from '../../../disk/host.ts';
import { runFile } from '../../../model/run-folder.ts';
import type { Position, Positions } from '../../position.ts';
import { endsWithRecord, isClosed, listSegments, readOpening, segmentPath } from './segment.ts';

/*
 * Questions to a journal that read a few bytes of it, for callers who have milliseconds: hooks, the status line and the
 * brief. Folders of runs are absolute here.
 */

/** The process that opened an actor's journal last; undefined if there is none, or its name cannot be read. */
export function lastWriter(
  disk: Disk,
  runFolder: string,
  actor: string,
): { readonly process: ProcessName; readonly isReleased: boolean } | undefined {
  const newest = listSegments(disk, actorFolder(runFolder, actor)).at(-1);
  const header = newest && readOpening(disk, newest, actor).header;
  if (newest === undefined || typeof header !== 'object') return undefined;
  return { process: header.owner, isReleased: isClosed(disk, newest) };
}

/** True if an actor's journal is there at least as far as a position. */
export function reachesPosition(disk: Disk, runFolder: string, actor: string, position: Position): boolean {
  if (position.epoch === 0 || position.sum === '') return false;
  return endsWithRecord(disk, segmentPath(actorFolder(runFolder, actor), position.epoch), position);
}

/** True if nothing was appended behind a cursor, by any actor. A journal that cannot be read may have more. */
export function endsAtCursor(disk: Disk, runFolder: string, cursor: Positions): boolean {
  const events = runFile(runFolder, 'events');
  try {
    const actors = disk.list(events) ?? [];
    return actors.length === cursor.size && actors.every((actor) => endsAt(disk, events, actor, cursor));
  } catch (error) {
    if (error instanceof DiskError) return false;
    throw error;
  }
}

function endsAt(disk: Disk, events: string, actor: string, cursor: Positions): boolean {
  const head = cursor.get(actor);
  const newest = listSegments(disk, `${events}/${actor}`).at(-1);
  return newest !== undefined && newest.epoch === head?.epoch && disk.stat(newest.path)?.size === head.length;
}

function actorFolder(runFolder: string, actor: string): string {
  return `${runFile(runFolder, 'events')}/${actor}`;
}
