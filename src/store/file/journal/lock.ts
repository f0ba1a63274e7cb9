import { formatTime } from '../../../base/clock.ts';
import { fail, ok, type Result } from '../../../base/result.ts';
import { writeAll } from '../../../disk/write.ts';
import type { Lock, LockFailure } from '../../locks.ts';
import { formatClosed } from '../../records/line.ts';
import { listSegments, segmentPath } from './segment.ts';
import { getActorFolder, type SegmentMaker, takeEpoch } from './segment-maker.ts';
import { findSegmentOwner, readNewestOwner } from './segment-owner.ts';

export interface TakeLock extends Omit<SegmentMaker, 'durable'> {
  /** For naming the run in a failure. */
  readonly run: string;
  /** Take over from an owner that is alive, or that may be. */
  readonly takeover: boolean;
}

/**
 * Made of the same epochs as the lock of a journal, because a lock file that is deleted when it looks stale can be handed
 * to two processes: the process that creates the file of the next epoch has the lock, and the highest epoch is never deleted.
 */
export async function takeLock(options: TakeLock): Promise<Result<Lock, LockFailure>> {
  const { disk, host, clock, actor, run } = options;
  const folder = getActorFolder(options);
  const newest = listSegments(disk, folder).at(-1);
  const owner = newest && !options.takeover ? findSegmentOwner(disk, host, newest, actor) : undefined;
  if (owner !== undefined) return fail({ reason: 'run-held', run, holder: owner });
  disk.makeFolder(folder);
  const epoch = (newest?.epoch ?? 0) + 1;
  // Not durable, because a power cut ends the owner too.
  const isMade = (await takeEpoch({ ...options, durable: false }, epoch)) !== undefined;
  if (!isMade || !isHighest(options, epoch))
    return fail({ reason: 'run-held', run, holder: readNewestOwner(disk, host, folder, actor) });
  removeOldEpochs(options, epoch);
  return ok({
    fencingNumber: epoch,
    isHeld: () => isHighest(options, epoch),
    // Nothing runs out: it is this process's until another one takes the next epoch.
    renew: async () => isHighest(options, epoch),
    release() {
      const path = segmentPath(folder, epoch);
      const file = disk.append(path);
      try {
        // Not synced, because after a power cut the owner is dead anyway.
        writeAll(file, Buffer.from(formatClosed(formatTime(clock.now()), 0, '').text), path);
      } finally {
        file.close();
      }
    },
  });
}

/** A process that slept for long may create the file of an epoch that was removed: a higher one says that it is too late. */
function isHighest(options: TakeLock, epoch: number): boolean {
  return listSegments(options.disk, getActorFolder(options)).at(-1)?.epoch === epoch;
}

/** The epoch before stays, because another process may be reading it right now. */
function removeOldEpochs(options: TakeLock, epoch: number): void {
  for (const segment of listSegments(options.disk, getActorFolder(options)))
    if (segment.epoch < epoch - 1) options.disk.remove(segment.path);
}
