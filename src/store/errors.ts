import type { LockOwner } from '../model/failure.ts';

/**
 * Another process has taken the actor's lock: the events that were to be appended do not count, even if they are on disk.
 * Thrown, because the code that appends is far from the code that can react. Trouble of the disk stays a `DiskError`.
 */
export class JournalFenced extends Error {
  readonly actor: string;
  readonly epoch: number;
  /** The process that has the lock now, if that is known. */
  readonly owner: LockOwner | undefined;

  constructor(actor: string, epoch: number, owner: LockOwner | undefined) {
    super(`${actor} was taken over after epoch ${epoch}`);
    this.name = 'JournalFenced';
    this.actor = actor;
    this.epoch = epoch;
    this.owner = owner;
  }
}
