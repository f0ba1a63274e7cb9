import type { Result } from '../../base/result.ts';
import type { LockOwner } from '../../model/failure.ts';
import type { Lock, LockFailure, LockOptions, Locks } from '../locks.ts';
import type { JournalWorld } from './file-journal.ts';
import { takeLock } from './journal/lock.ts';
import { listSegments } from './journal/segment.ts';
import { findSegmentOwner } from './journal/segment-owner.ts';

/** Locks in a folder, each with a name and without events. They are made of the same epochs as the lock of a run. */
export class FileLocks implements Locks {
  readonly #world: JournalWorld;
  readonly #folder: string;

  constructor({ disk, host, clock, ids }: JournalWorld, folder: string) {
    this.#world = { disk, host, clock, ids };
    this.#folder = folder;
  }

  take(name: string, { run = name, takeover = false }: LockOptions = {}): Promise<Result<Lock, LockFailure>> {
    return takeLock({ ...this.#world, eventsFolder: this.#folder, actor: name, run, takeover });
  }

  /** The process that has the lock; undefined if it is free or its owner is dead. */
  owner(name: string): LockOwner | undefined {
    const { disk, host } = this.#world;
    const newest = listSegments(disk, `${this.#folder}/${name}`).at(-1);
    return newest && findSegmentOwner(disk, host, newest, name);
  }

  /** Every name that was ever taken. */
  names(): readonly string[] {
    return this.#world.disk.list(this.#folder) ?? [];
  }
}
