import { programVersion } from '../../base/program.ts';
import { keptFolder, type RunFileName } from '../../model/run-folder.ts';
import type { RunJournal } from '../../store/journal.ts';
import type { Locks } from '../../store/locks.ts';
import { type JournalWorld, openLocks, openJournal as openStoredJournal } from '../../store/open-store.ts';

/*
 * Where a run keeps its journal, and who writes to it. Folders are relative to the workspace, paths are absolute.
 */

/** The actor that carries out plans; whoever holds it holds the run. */
export const runnerActor = 'runner';

/** `root` is absolute, `folder` relative to it. */
export function openRunJournal(world: JournalWorld, root: string, folder: string): RunJournal {
  return openStoredJournal({ ...world, version: programVersion }, root, folder);
}

/** Relative to the workspace. */
export const locksFolder = `${keptFolder}/turns`;

/** Locks of the whole workspace: of who makes a run, and of who removes things. */
export function workspaceLocks(world: JournalWorld, root: string): Locks {
  return openLocks(world, `${root}/${locksFolder}`);
}

/** Locks of one run besides its journal's. */
export function runLocks(world: JournalWorld, root: string, folder: string): Locks {
  return openLocks(world, `${root}/${folder}`);
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
