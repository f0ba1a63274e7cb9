import type { Hash } from '../../base/hash.ts';
import { isUnreadable } from '../../disk/unreadable.ts';
import type { RunJournal } from '../../journal/run-journal.ts';
import type { EventBody, OutputRecord } from '../../model/event.ts';

/** By path, then by content: the newest record of each content that a run ever put there. */
export type RecordedFiles = ReadonlyMap<string, ReadonlyMap<Hash, OutputRecord>>;

/** Which files a run recorded. The whole journal says so; a ledger keeps only what still counts. */
export interface FileHistory {
  /** Outputs of attempts. */
  readonly made: RecordedFiles;
  /** Files of people that were adopted: they count as outputs and stay the work of a person. */
  readonly adopted: RecordedFiles;
}

/** A history that is being read. */
export interface GrowingHistory extends FileHistory {
  readonly made: Map<string, Map<Hash, OutputRecord>>;
  readonly adopted: Map<string, Map<Hash, OutputRecord>>;
}

export function emptyHistory(): GrowingHistory {
  return { made: new Map(), adopted: new Map() };
}

/** Adds what one event says about files. */
export function takeFiles(history: GrowingHistory, event: EventBody): void {
  if (event.type === 'phase_succeeded' || event.type === 'outputs_restored')
    for (const record of Object.values(event.outputs)) add(history.made, record);
  else if (event.type === 'artifact_adopted') add(history.adopted, event.after);
}

/** Reads the files of a run from its journal; of a damaged journal, as much as is readable. */
export function readFileHistory(journal: RunJournal): FileHistory {
  const history = emptyHistory();
  try {
    for (const event of journal.events()) takeFiles(history, event);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
  return history;
}

function add(files: Map<string, Map<Hash, OutputRecord>>, record: OutputRecord): void {
  const known = files.get(record.path);
  if (known === undefined) files.set(record.path, new Map([[record.hash, record]]));
  else known.set(record.hash, record);
}
