import type { Clock } from '../base/clock.ts';
import type { StoredEvent } from '../model/event.ts';
import type { AuditLog } from './audit-log.ts';
import type { BriefFile } from './brief-file/brief-file.ts';
import { ProjectionTimer, ProjectionTroubles } from './projection-timer.ts';

export interface FollowingFiles {
  readonly brief: BriefFile;
  /** Undefined: the layout has none, or this process only visits the run. */
  readonly log?: AuditLog | undefined;
  readonly troubles?: ProjectionTroubles | undefined;
}

/** Everything that follows the journal of an opened run: the listener behind `record`. */
export class RunProjections {
  readonly brief: BriefFile;
  /** Files for people that could not be written. */
  readonly troubles: ProjectionTroubles;
  readonly timer: ProjectionTimer;
  readonly #log: AuditLog | undefined;

  constructor(clock: Clock, { brief, log, troubles = new ProjectionTroubles() }: FollowingFiles) {
    this.brief = brief;
    this.troubles = troubles;
    this.timer = new ProjectionTimer(clock);
    this.#log = log;
  }

  recorded(events: readonly StoredEvent[]): void {
    this.#log?.add(events);
    this.timer.note(events);
    this.brief.note(events);
  }

  /** Before the journal is closed, because hooks and people may have left what has to be recorded. */
  async settle(): Promise<void> {
    await this.brief.settle();
    this.#log?.close();
  }

  /** After the journal is closed. */
  async close(): Promise<void> {
    await this.brief.close();
  }

  /** After a failed write, or with the run lost: nothing more is written. */
  abandon(): void {
    this.brief.abandon();
    this.#log?.close();
  }
}
