import { join, relative } from 'node:path';
import { parseTime } from '../../../base/clock.ts';
import { fail, ok, type Result } from '../../../base/result.ts';
import { type Disk, DiskError } from '../../../disk/disk.ts';
import { makeFolderDurable } from '../../../disk/write.ts';
import type { Finding } from '../../../model/failure.ts';
import { isSafeName } from '../../../model/names.ts';
import { reportOn } from '../../findings.ts';
import type { Claim, ClaimFailure, JournalEnd } from '../../journal.ts';
import { type Positions, positionOf, startPosition } from '../../position.ts';
import { readJournal } from './read.ts';
import { keepReserve } from './reserve.ts';
import { isClosed, listSegments, readOpening, type Segment, segmentPath } from './segment.ts';
import { getActorFolder, openEpoch, type SegmentMaker, takeEpoch } from './segment-maker.ts';
import { findSegmentOwner, readNewestOwner } from './segment-owner.ts';
import { FileWriter, type FileWriterOptions } from './writer.ts';

export interface ClaimOptions extends SegmentMaker, FileWriterOptions {
  /** For naming it in a failure. */
  readonly run: string;
  /** Take over from an owner that is alive, or that may be. */
  readonly takeover?: boolean | undefined;
  /** What has been read already; only what came after it is read again. */
  readonly from?: Positions | undefined;
  /** Findings name files relative to this folder. */
  readonly base?: string | undefined;
}

/**
 * Takes an actor's lock. No lock can be stale: the process that creates the file of the next epoch has the lock, and the
 * process that had it before finds that file after its next sync and fails. Nothing is ever
 * deleted or cut. The order of the steps is the proof; each says what it rests on.
 */
export async function claimJournal(options: ClaimOptions): Promise<Result<Claim, ClaimFailure>> {
  const { disk, eventsFolder, durable } = options;
  if (!isSafeName(options.actor)) throw new Error(`not an actor: ${options.actor}`);
  const actorFolder = getActorFolder(options);

  // Behind a link, no other process would look for this run's journal.
  const kind = disk.stat(actorFolder)?.kind;
  if (kind !== undefined && kind !== 'folder') throw new DiskError('ENOTDIR', 'claim', actorFolder);

  // 1. A living owner is left alone. That is courtesy; what makes it safe comes next.
  const newest = listSegments(disk, actorFolder).at(-1);
  const refusal = newest && refuseClaim(options, newest);
  if (refusal !== undefined) return fail(refusal);

  // 2. Of any number of processes that come here one makes the file. It is whole and durable before it has its name.
  if (durable) await makeFolderDurable(disk, actorFolder);
  else disk.makeFolder(actorFolder);
  const epoch = (newest?.epoch ?? 0) + 1;
  const headerBytes = await takeEpoch(options, epoch);
  if (headerBytes === undefined) return fail(failAsHeld(options));

  // 3. Only now the earlier segment is read: what its owner acknowledged was on disk before it looked for our file
  //    and did not find it, so it is seen here. What it writes from here on it will not acknowledge.
  const journal = readJournal(disk, eventsFolder, { from: options.from, base: options.base });
  const events = [...journal.events()];
  const end = journal.finish();
  const continued = positionOf(end.actors.get(options.actor) ?? startPosition);
  if (durable && continued.epoch > 0 && continued.epoch < epoch) await syncSegment(options, continued.epoch);
  if (durable) await syncUnclosed(disk, eventsFolder, options.actor);

  // 4. The pin makes the epoch count, and all that lies behind it in the earlier segment void. The names of the file
  //    and of its folders were synced when they were made.
  const segment = await openEpoch(options, epoch, headerBytes, continued);

  // 5. Another process may have taken over in the meantime: then our pin is void, and so is all that we would write.
  if (disk.stat(segmentPath(actorFolder, epoch + 1)) !== undefined) {
    segment.file.close();
    return fail(failAsHeld(options));
  }
  keepReserve(disk, actorFolder);
  const writer = new FileWriter(options, segment, findTimeAfter(end), options);
  return ok({ ...end, writer, continues: journal.continues, events });
}

function refuseClaim(options: ClaimOptions, newest: Segment): ClaimFailure | undefined {
  const { disk, host, actor, run, eventsFolder, base = eventsFolder } = options;
  const { header, writer } = readOpening(disk, newest, actor);
  if (header === 'newer') {
    const findings: Finding[] = [];
    reportOn(findings, relative(base, newest.path))('newer-format', 'loud', 1, writer);
    return { reason: 'journal-damaged', run, findings };
  }
  if (options.takeover === true) return undefined;
  const owner = findSegmentOwner(disk, host, newest, actor);
  return owner && { reason: 'run-held', run, holder: owner };
}

function failAsHeld(options: ClaimOptions): ClaimFailure {
  const { disk, host, actor, run } = options;
  return { reason: 'run-held', run, holder: readNewestOwner(disk, host, getActorFolder(options), actor) };
}

/**
 * An owner that was killed between its write and its sync leaves events that can be read and are not durable. They are
 * believed from here on, so a power cut must not take them away again.
 */
async function syncSegment(options: ClaimOptions, epoch: number): Promise<void> {
  const file = options.disk.append(segmentPath(getActorFolder(options), epoch));
  try {
    await file.sync();
  } finally {
    file.close();
  }
}

/**
 * The same for the journals of all other actors: what is said next builds on what they say. Only segments that were not
 * released can hold anything that is not on the disk.
 */
async function syncUnclosed(disk: Disk, eventsFolder: string, except: string): Promise<void> {
  for (const actor of disk.list(eventsFolder) ?? []) {
    if (actor === except || !isSafeName(actor)) continue;
    const newest = listSegments(disk, join(eventsFolder, actor)).at(-1);
    if (newest === undefined || isClosed(disk, newest)) continue;
    // Something else has its name: nothing was written to it.
    if (disk.stat(newest.path)?.kind !== 'file') continue;
    const file = disk.append(newest.path);
    try {
      await file.sync();
    } finally {
      file.close();
    }
  }
}

/** Later than every event that was read, because the clocks of other writers may be ahead. */
function findTimeAfter({ actors }: JournalEnd): number {
  let latest = 0;
  for (const { at } of actors.values()) latest = Math.max(latest, (parseTime(at) ?? 0) + 1);
  return latest;
}
