import type { LockOwner } from '../model/failure.ts';

/**
 * Another process has taken the actor over: what was to be appended does not count, whatever is on disk. Thrown, for
 * whoever appends is far from whoever can do something about it. Trouble of the disk stays a `DiskError`.
 */
export class JournalFenced extends Error {
  readonly actor: string;
  readonly epoch: number;
  /** Who has it now, where that can be told. */
  readonly holder: LockOwner | undefined;

  constructor(actor: string, epoch: number, holder: LockOwner | undefined) {
    super(`${actor} was taken over after epoch ${epoch}`);
    this.name = 'JournalFenced';
    this.actor = actor;
    this.epoch = epoch;
    this.holder = holder;
  }
}
