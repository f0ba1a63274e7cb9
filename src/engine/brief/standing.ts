import { type BriefState, briefFolder } from '../../projections/brief-file/state-file.ts';
import { peekJournal } from '../../store/open-store.ts';
import type { Environment } from '../open/environment.ts';
import { hasJournalEnd } from '../open/journal-end.ts';
import { runnerActor as runner } from '../open/run-files.ts';

/*
 * How far a brief that was found in a workspace can be believed, by a look at a few bytes: nothing is folded, and no
 * pipeline is loaded. For hooks, which are waited for, and which any repository can put files in front of.
 */

/** Where briefs may lie, relative to the workspace: first the one that was written last, then from the newest run on. */
export function briefFolders({ disk }: Environment, root: string): BriefFolders {
  const names = disk.list(`${root}/${runsFolder}`) ?? [];
  const newest = names
    .slice(-runsMax)
    .reverse()
    .map((name) => `${runsFolder}/${name}`);
  const pointed = briefFolder(disk, root);
  return { pointed, others: newest.filter((folder) => folder !== pointed) };
}

export interface BriefFolders {
  /** Undefined where nothing says which was written last. */
  readonly pointed: string | undefined;
  readonly others: readonly string[];
}

/**
 * Whether this user has had to do with the run: how far its journal had come is kept in the user's state folder, or a
 * process of this machine has made the journal since it was started. A repository cannot bring either of them along.
 */
export function isKnownHere(env: Environment, root: string, folder: string): boolean {
  if (hasJournalEnd(env, root, folder)) return true;
  const writer = peekJournal(env.disk, `${root}/${folder}`).lastOwner(runner);
  if (writer === undefined) return false;
  const { boot, host } = writer.process;
  const { self } = env.host;
  // Random for each start of the machine. Without one, only a living process proves that the entry is real.
  if (boot !== '' && boot === self.boot && host === self.host) return true;
  return env.host.isAlive(writer.process) === 'alive';
}

/** Whether the journal that the brief says it was made from is there, at least as far as that. */
export function isFounded({ disk }: Environment, root: string, { folder, heads }: BriefState): boolean {
  const head = heads.get(runner);
  return head !== undefined && peekJournal(disk, `${root}/${folder}`).reaches(runner, head);
}

/** Whether the process that held the run last has died without letting go of it. */
export function isRunnerGone(env: Environment, root: string, folder: string): boolean {
  const writer = peekJournal(env.disk, `${root}/${folder}`).lastOwner(runner);
  return writer !== undefined && !writer.isReleased && env.host.isAlive(writer.process) === 'dead';
}

const runsFolder = '.pawl/runs';
const runsMax = 50;
