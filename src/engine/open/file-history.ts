import type { Hash } from '../../base/hash.ts';
import { isUnreadable } from '../../disk/unreadable.ts';
import type { EventBody, OutputRecord } from '../../model/event.ts';
import type { RunJournal } from '../../store/journal.ts';

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
  if (!isOfFiles(event)) return;
  const files = event.type === 'artifact_adopted' ? history.adopted : history.made;
  for (const record of recordsOf(event)) add(files, record);
}

type OfFiles = Extract<EventBody, { type: 'attempt_succeeded' | 'outputs_restored' | 'artifact_adopted' }>;

function isOfFiles(event: EventBody): event is OfFiles {
  return ['attempt_succeeded', 'outputs_restored', 'artifact_adopted'].includes(event.type);
}

function recordsOf(event: OfFiles): readonly OutputRecord[] {
  return event.type === 'artifact_adopted' ? [event.after] : Object.values(event.outputs);
}

/** Reads the files of a run from its journal; of a damaged journal, as much as is readable. */
export function readFileHistory(journal: RunJournal): FileHistory {
  const history = emptyHistory();
  forEachEvent(journal, (event) => takeFiles(history, event));
  return history;
}

/** Every output that a run recorded, oldest first, with the step that it was an output of. */
export function readOutputs(journal: RunJournal): OutputOfStep[] {
  const outputs: OutputOfStep[] = [];
  forEachEvent(journal, (event) => {
    if (!isOfFiles(event)) return;
    const { unit, phase } = event;
    for (const record of recordsOf(event)) outputs.push({ unit, phase, record });
  });
  return outputs;
}

export interface OutputOfStep {
  readonly unit: string;
  readonly phase: string;
  readonly record: OutputRecord;
}

function forEachEvent(journal: RunJournal, take: (event: EventBody) => void): void {
  try {
    for (const event of journal.events()) take(event);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
}

function add(files: Map<string, Map<Hash, OutputRecord>>, record: OutputRecord): void {
  const known = files.get(record.path);
  if (known === undefined) files.set(record.path, new Map([[record.hash, record]]));
  else known.set(record.hash, record);
}
