import { foldEvent } from '../../ledger/fold.ts';
import type { StoredEvent } from '../../model/event.ts';
import type { RunJournal } from '../../store/journal.ts';
import type { ActorHead } from '../../store/position.ts';
import type { Environment } from '../open/environment.ts';
import { type OpenedRun, runStatus } from '../open/open-run.ts';
import { openRunJournal, runnerActor } from '../open/run-files.ts';

/**
 * Follows a run that other processes work on. Each look reads only what was appended to the journal since the last
 * one, and folds it into the ledger of the opened run.
 */
export class RunFollower {
  readonly opened: OpenedRun;
  readonly #env: Environment;
  readonly #journal: RunJournal;
  readonly #heads: Map<string, ActorHead>;

  constructor(env: Environment, root: string, opened: OpenedRun) {
    this.opened = opened;
    this.#env = env;
    this.#journal = openRunJournal(env, root, opened.folder);
    this.#heads = new Map(opened.heads);
  }

  /** What is recorded from now on, look by look. `isWorkedOn` is of before the look, so that nothing before the end is missed. */
  async *news(stop: AbortSignal): AsyncGenerator<FollowedNews> {
    const looks = this.#journal.follow(this.#heads, { clock: this.#env.clock, stop });
    for (;;) {
      const isWorkedOn = this.isWorkedOn();
      const look = await looks.next();
      if (look.done) return;
      const { events, heads } = look.value;
      for (const [actor, head] of heads) this.#heads.set(actor, head);
      for (const event of events) foldEvent(this.opened.ledger, event);
      yield { events, isWorkedOn };
    }
  }

  /** False as soon as no process works on the run any more. */
  isWorkedOn(): boolean {
    return runStatus(this.#env, this.opened.ledger, this.#heads.get(runnerActor)) === 'running';
  }
}

export interface FollowedNews {
  readonly events: readonly StoredEvent[];
  readonly isWorkedOn: boolean;
}
