import type { Result } from '../../base/result.ts';
import type { Failure, LockOwner } from '../../model/failure.ts';
import type { Lock } from '../../store/locks.ts';
import type { Environment } from './environment.ts';
import { openOwnFolder } from './own-folder.ts';
import { deskName, runLocks, workspaceLocks } from './run-files.ts';

/*
 * Removing and adding exclude each other in a workspace, because what lies in the content store already is not written
 * again and must not be removed in between. `pawl gc` takes this lock and then looks whether any run is locked or being
 * made; a process that takes the lock of a run does that first and then looks at this one. So at least one of the two
 * sees the other.
 */

const gcLock = 'gc';

/** Takes the lock under which things are removed from a workspace. From then on no process takes the lock of a run in it. */
export async function takeGcLock(env: Environment, root: string): Promise<Result<Lock, Failure>> {
  const own = openOwnFolder(env.disk, root);
  return own.ok ? await workspaceLocks(env, root).take(gcLock) : own;
}

/** The process that removes things from the workspace. */
export function findGcOwner(env: Environment, root: string): LockOwner | undefined {
  return workspaceLocks(env, root).owner(gcLock);
}

/** The process that is making a run right now, which may not be found among the runs yet. */
export function findRunCreator(
  env: Environment,
  root: string,
): { readonly run: string; readonly holder: LockOwner } | undefined {
  const locks = workspaceLocks(env, root);
  for (const run of locks.names()) {
    const holder = run === gcLock ? undefined : locks.owner(run);
    if (holder !== undefined) return { run, holder };
  }
  return undefined;
}

/** The process that claims or completes a task of a run: it may put files into the content store. */
export function findClaimOwner(env: Environment, root: string, folder: string): LockOwner | undefined {
  return runLocks(env, root, folder).owner(deskName);
}
