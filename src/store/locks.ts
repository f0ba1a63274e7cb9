import type { Result } from '../base/result.ts';
import type { Failure, LockOwner } from '../model/failure.ts';

/** Locks with names. One process has a lock at a time. They protect no events of their own. */
export interface Locks {
  take(name: string, options?: LockOptions): Promise<Result<Lock, LockFailure>>;
  /** The process that has the lock; undefined if it is free or its owner is dead. */
  owner(name: string): LockOwner | undefined;
  /** Every name that was ever taken. */
  names(): readonly string[];
}

export interface LockOptions {
  /** For naming the run in a failure; the lock's own name if absent. */
  readonly run?: string;
  /** Take over from an owner that is alive, or that may be. */
  readonly takeover?: boolean;
}

export type LockFailure = Extract<Failure, { reason: 'run-held' }>;

/**
 * A lock while this process has it. A lock of this machine's files never expires, because its owner's life can be looked
 * up; a lease of a database does, and must be renewed before it ends.
 */
export interface Lock {
  /** Grows with every owner: a write that names a smaller number comes from an owner that lost the lock. */
  readonly fencingNumber: number;
  /** False if another process took over. Ask it after the work done under the lock can be seen by others. */
  isHeld(): boolean;
  /** Keeps the lock for another term. False: it is lost, and nothing may be done under it any more. */
  renew(): Promise<boolean>;
  release(): void;
}
