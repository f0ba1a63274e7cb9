import { formatTime } from '../base/clock.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { writeAll } from '../disk/write.ts';
import type { Failure } from '../model/failure.ts';
import { newestHolder, segmentHolder } from './holder.ts';
import { formatClosed } from './line.ts';
import { listSegments, segmentPath } from './segment.ts';
import { actorFolderOf, type SegmentMaker, takeEpoch } from './segment-maker.ts';

export interface TurnOptions extends Omit<SegmentMaker, 'durable'> {
  /** For naming it in a failure. */
  readonly run: string;
  /** Displace a holder that is alive, or of which that cannot be told. */
  readonly takeover: boolean;
}

export type TurnFailure = Extract<Failure, { reason: 'run-held' }>;

/** A lock that one process has at a time, for a moment. */
export interface Turn {
  /** False: somebody has displaced us. To be asked after what was done in the turn can be seen by others. */
  isHeld(): boolean;
  end(): void;
}

/**
 * Takes a turn at something that only one process may do at a time. Made of the same epochs as a journal, and for the
 * same reason: there is no lock that could be stale, and the highest epoch is never deleted. A turn holds no events.
 */
export async function takeTurn(options: TurnOptions): Promise<Result<Turn, TurnFailure>> {
  const { disk, host, clock, actor, run } = options;
  const folder = actorFolderOf(options);
  const newest = listSegments(disk, folder).at(-1);
  const holder = newest && !options.takeover ? segmentHolder(disk, host, newest, actor) : undefined;
  if (holder !== undefined) return fail({ reason: 'run-held', run, holder });
  disk.makeFolder(folder);
  const epoch = (newest?.epoch ?? 0) + 1;
  // A power cut ends whoever holds the turn: its name need not survive one.
  const isMade = (await takeEpoch({ ...options, durable: false }, epoch)) !== undefined;
  if (!isMade || !isHighest(options, epoch))
    return fail({ reason: 'run-held', run, holder: newestHolder(disk, host, folder, actor) });
  sweep(options, epoch);
  return ok({
    isHeld: () => isHighest(options, epoch),
    end() {
      const path = segmentPath(folder, epoch);
      const file = disk.append(path);
      try {
        // Not synced: after a power cut its holder is dead anyway.
        writeAll(file, Buffer.from(formatClosed(formatTime(clock.now()), 0, '').text), path);
      } finally {
        file.close();
      }
    },
  });
}

/** Who slept over many turns may make the file of one that was swept away: a higher one says that it is too late. */
function isHighest(options: TurnOptions, epoch: number): boolean {
  return listSegments(options.disk, actorFolderOf(options)).at(-1)?.epoch === epoch;
}

/** Turns that are over tell nobody anything. The one before stays, for whoever is just looking at it. */
function sweep(options: TurnOptions, epoch: number): void {
  for (const segment of listSegments(options.disk, actorFolderOf(options)))
    if (segment.epoch < epoch - 1) options.disk.remove(segment.path);
}
