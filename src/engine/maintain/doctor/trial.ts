import type { Ids } from '../../../base/ids.ts';
import { type Disk, DiskError, type OpenFile } from '../../../disk/disk.ts';
import { removeTree } from '../../../disk/remove.ts';
import { newTempName, writeAll } from '../../../disk/write.ts';
import type { FileOperation } from './finding.ts';

/** What came of trying every operation that everything on disk is built of. */
export interface Trial {
  readonly failed: readonly FailedOperation[];
  readonly isCaseSensitive: boolean;
}

export interface FailedOperation {
  readonly operation: FileOperation;
  /** The system's own; `taken` where a name was given twice, `gone` where a file is not where it was put. */
  readonly code: string;
  readonly path: string;
}

/** Tries them in a folder of its own below this one, and removes that again, whatever happens. */
export async function tryOperations(disk: Disk, below: string, ids: Ids): Promise<Trial> {
  const folder = `${below}/${newTempName(ids)}`;
  const trial = new Attempted(folder);
  try {
    await trial.attempt('write', () => disk.makeFolder(folder));
    if (trial.failed.length === 0) await tryFiles(disk, folder, trial);
  } finally {
    await trial.attempt('remove', () => removeTree(disk, folder));
  }
  return trial;
}

async function tryFiles(disk: Disk, folder: string, trial: Attempted): Promise<void> {
  const [file, second, target] = [`${folder}/file`, `${folder}/second`, `${folder}/target`];
  await trial.attempt('write', () => makeFile(disk, file));
  await trial.attempt('write', () => makeFile(disk, target));
  // Without a file there is nothing that the others could be tried with.
  if (trial.failed.length > 0) return;
  trial.isCaseSensitive = disk.stat(`${folder}/FILE`) === undefined;
  await trial.attempt('exclusive', () => demandRefusal(disk, file));
  await trial.attempt('sync', () => syncFile(disk, file));
  await trial.attempt('link', () => disk.link(file, second));
  await trial.attempt('rename', () => {
    disk.rename(file, target);
    if (disk.stat(file) !== undefined || disk.stat(target)?.size !== bytes.length)
      throw new DiskError('gone', 'rename', target);
  });
  await trial.attempt('sync-folder', () => disk.syncFolder(folder));
}

/** Has the lifetime of one trial: gathers what went wrong. */
class Attempted implements Trial {
  readonly failed: FailedOperation[] = [];
  isCaseSensitive = true;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async attempt(operation: FileOperation, act: () => void | Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      this.failed.push({ operation, code: error.code, path: this.#folder });
    }
  }
}

const bytes = new TextEncoder().encode('pawl doctor\n');

function makeFile(disk: Disk, path: string): void {
  closing(disk.create(path), (file) => writeAll(file, bytes, path));
}

/** One of two that make the same file at once must lose: so runs are held. */
function demandRefusal(disk: Disk, path: string): void {
  try {
    disk.create(path).close();
  } catch (error) {
    if (error instanceof DiskError && error.code === 'EEXIST') return;
    throw error;
  }
  throw new DiskError('taken', 'create', path);
}

async function syncFile(disk: Disk, path: string): Promise<void> {
  const file = disk.append(path);
  try {
    await file.sync();
  } finally {
    file.close();
  }
}

function closing(file: OpenFile, use: (file: OpenFile) => void): void {
  try {
    use(file);
  } finally {
    file.close();
  }
}
