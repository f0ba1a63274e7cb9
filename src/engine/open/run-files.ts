import { programVersion } from '../../base/program.ts';
import { keptFolder, type RunFileName } from '../../model/run-folder.ts';
import { FileJournal, type JournalWorld } from '../../store/file/journal/file-journal.ts';
import { FileLocks } from '../../store/file/journal/file-locks.ts';
import type { RunJournal } from '../../store/journal.ts';

/*
 * Where a run keeps its journal, and who writes to it. Folders are relative to the workspace, paths are absolute.
 */

/** The actor that carries out plans; whoever holds it holds the run. */
export const runnerActor = 'runner';

/** The one place that decides where a run's journal is kept. `root` is absolute, `folder` relative to it. */
export function openJournal(world: JournalWorld, root: string, folder: string): RunJournal {
  return new FileJournal({ ...world, version: programVersion }, root, folder);
}

/** Relative to the workspace. */
export const locksFolder = `${keptFolder}/turns`;

/** Locks of the whole workspace: of who makes a run, and of who removes things. */
export function workspaceLocks(world: JournalWorld, root: string): FileLocks {
  return new FileLocks(world, `${root}/${locksFolder}`);
}

/** Locks of one run besides its journal's. */
export function runLocks(world: JournalWorld, root: string, folder: string): FileLocks {
  return new FileLocks(world, `${root}/${folder}`);
}

/** What the turn of visitors is called, in the run's own folder. */
export const deskName = 'desk' satisfies RunFileName;

/** What the hooks of coding agents have left, once it is taken in. */
export const hooksActor = 'hooks';

/** Everything that people decide is in one journal. */
export const peopleActor = 'people';

/** Names under which nobody can come from outside. */
export function isReservedActor(name: string): boolean {
  return name === runnerActor || name === peopleActor || name === hooksActor;
}
