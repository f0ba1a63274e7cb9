import { isJsonObject, parseJson } from '../../base/json.ts';
import { DiskError } from '../../disk/disk.ts';
import { runFile } from '../../model/run-folder.ts';
import { projectedBytesMax } from '../../projections/file-owners.ts';
import type { Environment } from '../open/environment.ts';
import { findRunOwner, type OpenedRun } from '../open/open-run.ts';
import { runnerActor } from '../open/run-files.ts';

/**
 * By how many events the files made from the journal are behind it; undefined: by none, or their owner is about to write
 * them. An owner that ended in good order has written them, or has reported that it could not.
 */
export function countBehindJournal(env: Environment, root: string, opened: OpenedRun): number | undefined {
  const { ledger, folder, heads } = opened;
  const head = heads.get(runnerActor);
  if (head === undefined || (head.closed && ledger.ended !== undefined)) return undefined;
  if (findRunOwner(env, opened) !== undefined) return undefined;
  const behind = head.seq - writtenSeq(env, `${root}/${runFile(folder, 'run.json')}`);
  return behind > 0 ? behind : undefined;
}

/** Of the newest event that `run.json` tells of, which is the last of the files to be written; 0: of none. */
function writtenSeq({ disk }: Environment, path: string): number {
  try {
    const bytes = disk.read(path, projectedBytesMax);
    const summary = bytes && parseJson(new TextDecoder().decode(bytes));
    const journal = isJsonObject(summary) ? summary.journal : undefined;
    return isJsonObject(journal) && typeof journal.seq === 'number' ? journal.seq : 0;
  } catch (error) {
    if (error instanceof DiskError) return 0;
    throw error;
  }
}
