import { isUnreadable } from '../../../disk/unreadable.ts';
import type { EventBody, StoredEvent } from '../../../model/event.ts';
import type { RunJournal } from '../../../store/journal.ts';
import { emptyHistory, type FileHistory, type GrowingHistory, takeFiles } from '../../open/file-history.ts';

/** What of a run outlives it: nothing, or the final outputs of its finished units with all that tells of them. */
export type Keep = 'nothing' | 'approved';

/** A run's whole journal, for whoever wants to know which files are its own. A ledger keeps only what still counts. */
export interface RunHistory extends FileHistory {
  /** When something last happened to it, other than that it was marked. */
  readonly lastAt: string;
  /** How it had ended before it was marked. */
  readonly endedAs: RunEndStatus | undefined;
  /** A removal was begun: from here on the run's files may be gone. */
  readonly mark: Keep | undefined;
}

type RunEndStatus = Extract<EventBody, { type: 'run_ended' }>['status'];

/**
 * Recorded before anything of a run is removed, so that a run of which something is gone never looks as if it could be
 * gone on with or were complete. On record like every other override: a person has said `--delete`.
 */
export function markEvents(keep: Keep): EventBody[] {
  return [
    { type: 'override_used', guard, flag: '--delete', facts: { keep } },
    { type: 'run_ended', status: 'cancelled' },
  ];
}

const guard = 'gc';

/** Of a journal that cannot be read, as much as can be: such a run is left alone for that very reason. */
export function readKeptHistory(journal: RunJournal): RunHistory {
  const history: Draft = {
    ...emptyHistory(),
    lastAt: '',
    endedAs: undefined,
    mark: undefined,
    begun: undefined,
  };
  try {
    for (const event of journal.events()) take(history, event);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
  return history;
}

interface Draft extends RunHistory, GrowingHistory {
  readonly made: GrowingHistory['made'];
  readonly adopted: GrowingHistory['adopted'];
  lastAt: string;
  endedAs: RunEndStatus | undefined;
  mark: Keep | undefined;
  /** The first half of a mark has been read. */
  begun: Keep | undefined;
}

function take(history: Draft, event: StoredEvent): void {
  if (event.type === 'override_used' && event.guard === guard) {
    history.begun = event.facts.keep === 'approved' ? 'approved' : 'nothing';
    return;
  }
  const { begun } = history;
  history.begun = undefined;
  if (event.type === 'run_ended' && begun !== undefined) {
    history.mark = begun;
    return;
  }
  // A mark of which a crash left only the first half is none.
  history.mark = undefined;
  history.lastAt = event.at;
  takeFiles(history, event);
  if (event.type === 'run_ended') history.endedAs = event.status;
}
