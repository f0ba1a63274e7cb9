import type { Disk } from '../disk/disk.ts';
import type { ContentStore } from './content.ts';
import { FileContent, type FileContentOptions } from './file/content/file-content.ts';
import { FileJournal, type JournalWorld } from './file/file-journal.ts';
import { FileJournalPeek } from './file/file-journal-peek.ts';
import { FileLocks } from './file/file-locks.ts';
import type { JournalPeek, RunJournal } from './journal.ts';
import type { Locks } from './locks.ts';

/*
 * The one place that decides where journals, locks and content are kept. Today all of them are files of this machine.
 */

export type { FileContentOptions, JournalWorld };

/** `root` is the workspace, absolute; `folder` is the run's, relative to it. */
export function openJournal(world: JournalWorld, root: string, folder: string): RunJournal {
  return new FileJournal(world, root, folder);
}

/** `runFolder` is absolute. */
export function peekJournal(disk: Disk, runFolder: string): JournalPeek {
  return new FileJournalPeek(disk, runFolder);
}

/** `folder` is absolute. */
export function openLocks(world: JournalWorld, folder: string): Locks {
  return new FileLocks(world, folder);
}

/** `folder` is absolute. */
export function openContent(disk: Disk, folder: string, options: FileContentOptions): ContentStore {
  return new FileContent(disk, folder, options);
}

export { surveyContent } from './file/content/unused-objects.ts';
