import type { Disk } from '../disk/disk.ts';
import type { Host } from '../disk/host.ts';
import type { Holder } from '../model/failure.ts';
import { kindOfLog } from './log-kind.ts';
import type { ActorHead } from './position.ts';
import { isClosed, listSegments, readOpening, type Segment } from './segment.ts';

/** Who may still write to a segment; undefined when nobody does: it was closed in good order, or its maker is dead. */
export function segmentHolder(disk: Disk, host: Host, segment: Segment, actor: string): Holder | undefined {
  if (isClosed(disk, segment)) return undefined;
  const { header } = readOpening(disk, segment, actor);
  if (header === 'unreadable' && kindOfLog(disk, segment.path) === 'foreign') return undefined;
  // Somebody made it, and nothing says that it is gone: doubt never breaks a lock.
  if (typeof header === 'string') return { pid: 0, host: '', since: '', alive: 'unknown' };
  return headHolder(host, { ...header, closed: false });
}

/** Who may still write to an actor's journal that ends there. */
export function headHolder(
  host: Host,
  { holder, opened, closed }: Pick<ActorHead, 'holder' | 'opened' | 'closed'>,
): Holder | undefined {
  if (closed || holder === undefined) return undefined;
  const alive = host.isAlive(holder);
  return alive === 'dead' ? undefined : { pid: holder.pid, host: holder.host, since: opened, alive };
}

/** Who came first: the maker of the newest segment, be it alive or not. */
export function newestHolder(disk: Disk, host: Host, actorFolder: string, actor: string): Holder {
  const newest = listSegments(disk, actorFolder).at(-1);
  const header = newest && readOpening(disk, newest, actor).header;
  if (typeof header !== 'object') return { pid: 0, host: '', since: '', alive: 'unknown' };
  const alive = host.isAlive(header.holder) === 'alive' ? 'alive' : 'unknown';
  return { pid: header.holder.pid, host: header.holder.host, since: header.opened, alive };
}
