import type { Result } from '../../base/result.ts';
import type { Lock } from '../../journal/lock.ts';
import type { Failure, Holder } from '../../model/failure.ts';
import type { Environment } from '../environment.ts';
import { openOwnFolder } from '../open/own-folder.ts';
import { deskName, runLocks, workspaceLocks } from '../open/run-files.ts';

/*
 * Removing and adding exclude each other in a workspace. What is put into the content store is not written where it is
 * found already, so it must not be taken away between the two. Whoever removes takes this turn and then looks whether
 * any run is held or being made; whoever takes hold of a run does that first and then looks whether this turn is
 * taken. So at least one of them sees the other.
 */

const gcLock = 'gc';

/** Takes the lock under which things are removed from a workspace. From then on no process takes the lock of a run in it. */
export async function takeGcLock(env: Environment, root: string): Promise<Result<Lock, Failure>> {
  const own = openOwnFolder(env.disk, root);
  return own.ok ? await workspaceLocks(env, root).take(gcLock) : own;
}

/** The process that removes things from the workspace. */
export function collectorOf(env: Environment, root: string): Holder | undefined {
  return workspaceLocks(env, root).owner(gcLock);
}

/** The process that is making a run right now, which may not be found among the runs yet. */
export function runMaker(
  env: Environment,
  root: string,
): { readonly run: string; readonly holder: Holder } | undefined {
  const locks = workspaceLocks(env, root);
  for (const run of locks.names()) {
    const holder = run === gcLock ? undefined : locks.owner(run);
    if (holder !== undefined) return { run, holder };
  }
  return undefined;
}

/** The process that claims or completes a task of a run: it may put files into the content store. */
export function visitorOf(env: Environment, root: string, folder: string): Holder | undefined {
  return runLocks(env, root, folder).owner(deskName);
}
