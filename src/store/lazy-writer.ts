import type { Result } from '../base/result.ts';
import type { EventBody, StoredEvent } from '../model/event.ts';
import { JournalFenced } from './errors.ts';
import type { Claim, ClaimFailure, JournalWriter } from './journal.ts';
import type { Position } from './position.ts';

/** Claims the actor's lock with the first event, so that a visitor that only asks leaves nothing behind. */
export class LazyWriter implements JournalWriter {
  readonly #actor: string;
  readonly #claim: () => Promise<Result<Claim, ClaimFailure>>;
  #claimed: Claim | undefined;
  #position: Position;

  /** `position`: where the actor's events end now. */
  constructor(actor: string, position: Position, claim: () => Promise<Result<Claim, ClaimFailure>>) {
    this.#actor = actor;
    this.#position = position;
    this.#claim = claim;
  }

  get position(): Position {
    return this.#claimed?.writer.position ?? this.#position;
  }

  get fencingNumber(): number {
    return this.position.epoch;
  }

  get lastSeq(): number {
    return this.position.seq;
  }

  async append(events: readonly EventBody[]): Promise<StoredEvent[]> {
    if (this.#claimed === undefined) {
      const claimed = await this.#claim();
      if (!claimed.ok) {
        const { failure } = claimed;
        throw new JournalFenced(
          this.#actor,
          this.fencingNumber,
          failure.reason === 'run-held' ? failure.holder : undefined,
        );
      }
      this.#claimed = claimed.value;
    }
    return await this.#claimed.writer.append(events);
  }

  async close(): Promise<void> {
    const writer = this.#claimed?.writer;
    await writer?.close();
    if (writer !== undefined) this.#position = writer.position;
  }
}
