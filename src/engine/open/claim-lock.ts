import type { Result } from '../../base/result.ts';
import type { Failure } from '../../model/failure.ts';
import type { Lock } from '../../store/locks.ts';
import type { Hold } from './hold.ts';
import type { OpenedRun } from './open-run.ts';
import { openOwnFolder } from './own-folder.ts';
import { deskName, runLocks } from './run-files.ts';
import type { Workspace } from './workspace.ts';

/** A visitor at the desk: nobody else claims or completes anything of this run meanwhile. */
export interface LockedClaims {
  readonly workspace: Workspace;
  readonly opened: OpenedRun;
  readonly hold: Hold;
}

/** A turn is a matter of milliseconds: it is waited for. Whoever is stuck in one is told of by name. */
export async function takeClaimLock(
  { env, root }: Pick<Workspace, 'env' | 'root'>,
  { id, folder }: Pick<OpenedRun, 'id' | 'folder'>,
  { takeover = false }: { readonly takeover?: boolean | undefined } = {},
): Promise<Result<Lock, Failure>> {
  const { clock } = env;
  const own = openOwnFolder(env.disk, root, folder);
  if (!own.ok) return own;
  const locks = runLocks(env, root, folder);
  const began = clock.monotonicMs();
  for (let tries = 0; ; tries++) {
    const turn = await locks.take(deskName, { run: id, takeover });
    if (turn.ok) return turn;
    if (clock.monotonicMs() - began >= waitMsMax) return turn;
    await clock.sleep(Math.min(pauseMsMax, tries + 1), neverStops);
  }
}

const waitMsMax = 60_000;
const pauseMsMax = 25;
const neverStops = new AbortController().signal;
