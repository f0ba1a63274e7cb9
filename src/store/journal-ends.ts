import { dirname, join } from 'node:path';
import { hashJson } from '../base/hash.ts';
import { isJsonObject, type JsonValue } from '../base/json.ts';
import { type Disk, DiskError } from '../disk/disk.ts';
import { replaceFile } from '../disk/write.ts';
import type { Finding } from '../model/failure.ts';
import type { Positions } from './position.ts';
import { isCount } from './records/line.ts';

/**
 * A journal that was cut at the end of a line looks whole from inside. So how far it had come is kept outside the run
 * too, in the user's state folder.
 */

/** By the run's id and where it lies: a copy elsewhere and a later run in the same folder have heads of their own. */
export function makeEndKey(run: string, runFolderRealPath: string): string {
  return hashJson([run, runFolderRealPath]).slice('sha256:'.length, 'sha256:'.length + 32);
}

/** Not synced: one that is lost or old finds less, and never finds what is not so. */
export async function writeJournalEnd(
  disk: Disk,
  stateFolder: string,
  key: string,
  actors: Positions,
): Promise<void> {
  const seqs = Object.fromEntries([...actors].map(([actor, { seq }]) => [actor, seq]));
  disk.makeFolder(join(stateFolder, folderName));
  const bytes = Buffer.from(`${JSON.stringify({ pawl: 'head', version: 1, seqs })}\n`);
  await replaceFile(disk, headPath(stateFolder, key), bytes, { durable: false });
}

/** For a run that is about to be removed. Durable, or a copy put back in its place would look cut short. */
export async function removeJournalEnd(disk: Disk, stateFolder: string, key: string): Promise<void> {
  const path = headPath(stateFolder, key);
  if (disk.stat(dirname(path)) === undefined) return;
  disk.remove(path);
  await disk.syncFolder(dirname(path));
}

/** By actor: the number of its last event, as it was remembered. To be read before the journal, which only grows. */
export function readJournalEnd(disk: Disk, stateFolder: string, key: string): ReadonlyMap<string, number> {
  return readHead(disk, headPath(stateFolder, key));
}

/** A finding for each actor whose journal has fewer events now than were acknowledged. `file` is named in it. */
export function compareJournalEnd(
  head: ReadonlyMap<string, number>,
  actors: Positions,
  file: string,
): Finding[] {
  const findings: Finding[] = [];
  for (const [actor, remembered] of head) {
    const seq = actors.get(actor)?.seq ?? 0;
    if (seq >= remembered) continue;
    const detail = `${seq} < ${remembered}`;
    findings.push({ code: 'journal-shorter-than-head', file: `${file}/${actor}`, detail, weight: 'loud' });
  }
  return findings;
}

const folderName = 'heads';
const headBytesMax = 64 * 1024;

function headPath(stateFolder: string, key: string): string {
  return join(stateFolder, folderName, `${key}.json`);
}

/** By actor: the number of its last event. Empty when nothing usable was remembered. */
function readHead(disk: Disk, path: string): Map<string, number> {
  const seqs = new Map<string, number>();
  const value = readJson(disk, path);
  if (!isJsonObject(value) || value.pawl !== 'head' || !isJsonObject(value.seqs)) return seqs;
  for (const [actor, seq] of Object.entries(value.seqs)) if (isCount(seq)) seqs.set(actor, seq);
  return seqs;
}

function readJson(disk: Disk, path: string): JsonValue | undefined {
  try {
    const bytes = disk.read(path, headBytesMax);
    return bytes && JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    if (error instanceof DiskError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
