import { dirname } from 'node:path';
import type { Disk } from '../../../disk/disk.ts';
import type { Host } from '../../../disk/host.ts';
import type { LockOwner } from '../../../model/failure.ts';
import { findHeadOwner } from '../../owner.ts';
import { classifyLog } from '../../records/log-kind.ts';
import { isClosed, listSegments, readOpening, type Segment } from './segment.ts';

/** The process that may still write to a segment; undefined if it was closed, or its maker is dead. */
export function findSegmentOwner(
  disk: Disk,
  host: Host,
  segment: Segment,
  actor: string,
): LockOwner | undefined {
  if (isClosed(disk, segment)) return undefined;
  const { header } = readOpening(disk, segment, actor);
  if (header === 'unreadable' && classifyLog(disk, segment.path) === 'foreign') return undefined;
  if (typeof header === 'string') return findUnnamedOwner(disk, host, segment, actor);
  return findHeadOwner(host, { ...header, closed: false });
}

/**
 * The line that names the owner is damaged. The owner has the newest segment open, so this host can tell whether it is a
 * process of this host; whether it is one of another host, only a person knows. Doubt never breaks a lock.
 */
function findUnnamedOwner(disk: Disk, host: Host, segment: Segment, actor: string): LockOwner | undefined {
  const folder = dirname(segment.path);
  const earlier = listSegments(disk, folder).filter(({ epoch }) => epoch < segment.epoch);
  for (const other of earlier.toReversed()) {
    const { header } = readOpening(disk, other, actor);
    if (typeof header !== 'object' || header.owner.host === host.self.host) continue;
    return { pid: 0, host: header.owner.host, since: '', alive: 'unknown' };
  }
  const pid = host.openedBy(disk.realpath(folder) ?? folder);
  if (pid === 'none') return undefined;
  if (pid === 'unknown') return { pid: 0, host: '', since: '', alive: 'unknown' };
  return { pid, host: host.self.host, since: '', alive: 'alive' };
}

/** The maker of the newest segment, alive or not. */
export function readNewestOwner(disk: Disk, host: Host, actorFolder: string, actor: string): LockOwner {
  const newest = listSegments(disk, actorFolder).at(-1);
  const header = newest && readOpening(disk, newest, actor).header;
  if (typeof header !== 'object') return { pid: 0, host: '', since: '', alive: 'unknown' };
  const alive = host.isAlive(header.owner) === 'alive' ? 'alive' : 'unknown';
  return { pid: header.owner.pid, host: header.owner.host, since: header.opened, alive };
}
