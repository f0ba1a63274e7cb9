import type { Result } from '../../../base/result.ts';
import type { EventBody, StoredEvent } from '../../../model/event.ts';
import { JournalFenced } from '../../errors.ts';
import type { Position } from '../../position.ts';
import type { Claim, ClaimFailure } from './claim.ts';
import type { AppendTo } from './writer.ts';

/**
 * The journal of somebody who comes with one thing to say, or with none: it is claimed with the first word, so that
 * who only asks leaves nothing behind.
 */
export class VisitorJournal implements AppendTo {
  readonly #actor: string;
  readonly #claim: () => Promise<Result<Claim, ClaimFailure>>;
  #claimed: Claim | undefined;
  #position: Position;

  /** `position`: where it ends now. */
  constructor(actor: string, position: Position, claim: () => Promise<Result<Claim, ClaimFailure>>) {
    this.#actor = actor;
    this.#position = position;
    this.#claim = claim;
  }

  get position(): Position {
    return this.#claimed?.writer.position ?? this.#position;
  }

  get epoch(): number {
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
          this.epoch,
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
