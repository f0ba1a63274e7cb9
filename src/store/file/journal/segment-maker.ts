import { join } from 'node:path';
import { type Clock, formatTime } from '../../../base/clock.ts';
import type { Ids } from '../../../base/ids.ts';
import type { Disk, OpenFile } from '../../../disk/disk.ts';
import type { Host } from '../../../disk/host.ts';
import { createWhole, newTempName, writeAll } from '../../../disk/write.ts';
import type { Position } from '../../position.ts';
import { formatHeader, formatPin, journalVersion } from '../../records/line.ts';
import { segmentPath } from './segment.ts';

/** All that the segments of one actor are made with. */
export interface SegmentMaker {
  readonly disk: Disk;
  readonly host: Host;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly eventsFolder: string;
  readonly actor: string;
  /** The version of Pawl that writes; undefined where it does not know its own. */
  readonly writer?: string | undefined;
  /** Sync before anything is acknowledged. False: it survives a kill, and not a power cut. */
  readonly durable: boolean;
}

/** A segment that can be appended to, and where it ends. */
export interface OpenSegment {
  readonly file: OpenFile;
  readonly path: string;
  readonly position: Position;
}

export function getActorFolder({
  eventsFolder,
  actor,
}: Pick<SegmentMaker, 'eventsFolder' | 'actor'>): string {
  return join(eventsFolder, actor);
}

/** Takes an epoch by creating its file, which only one process can do. The header's length, or undefined. */
export async function takeEpoch(maker: SegmentMaker, epoch: number): Promise<number | undefined> {
  const { disk, host, clock, ids, writer, actor, durable } = maker;
  const header = {
    version: journalVersion,
    ...(writer !== undefined && { writer }),
    actor,
    epoch,
    owner: host.self,
    opened: formatTime(clock.now()),
  };
  const bytes = Buffer.from(formatHeader(header).text);
  const path = segmentPath(getActorFolder(maker), epoch);
  const isMade = await createWhole(disk, path, bytes, { tempName: newTempName(ids), durable });
  return isMade ? bytes.length : undefined;
}

/**
 * Opens a taken epoch for appending and pins what it continues. Only with the pin it counts: a process that dies before
 * leaves a segment that holds nothing.
 */
export async function openEpoch(
  maker: SegmentMaker,
  epoch: number,
  headerBytes: number,
  continued: Position,
): Promise<OpenSegment> {
  const path = segmentPath(getActorFolder(maker), epoch);
  const file = maker.disk.append(path);
  if (epoch === 1) return { file, path, position: { ...continued, epoch, length: headerBytes } };
  const pin = formatPin(
    { epoch: continued.epoch, length: continued.length, seq: continued.seq },
    continued.sum,
  );
  const bytes = Buffer.from(pin.text);
  try {
    writeAll(file, bytes, path);
    if (maker.durable) await file.sync();
  } catch (error) {
    file.close();
    throw error;
  }
  return { file, path, position: { ...continued, epoch, length: headerBytes + bytes.length, sum: pin.sum } };
}
