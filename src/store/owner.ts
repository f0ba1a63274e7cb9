import type { Host } from '../disk/host.ts';
import type { LockOwner } from '../model/failure.ts';
import type { ActorHead } from './position.ts';

/** The process that may still append to the events that end there; undefined if the lock was released or its owner is dead. */
export function findHeadOwner(
  host: Host,
  { owner, opened, closed }: Pick<ActorHead, 'owner' | 'opened' | 'closed'>,
): LockOwner | undefined {
  if (closed || owner === undefined) return undefined;
  const alive = host.isAlive(owner);
  return alive === 'dead' ? undefined : { pid: owner.pid, host: owner.host, since: opened, alive };
}
