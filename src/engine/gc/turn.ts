import type { Result } from '../../base/result.ts';
import { segmentHolder } from '../../journal/holder.ts';
import { listSegments } from '../../journal/segment.ts';
import { type Turn, takeTurn } from '../../journal/turn.ts';
import type { Failure, Holder } from '../../model/failure.ts';
import type { Environment } from '../environment.ts';
import { openOwnFolder } from '../open/own-folder.ts';
import { deskName } from '../open/run-files.ts';

/*
 * Removing and adding exclude each other in a workspace. What is put into the content store is not written where it is
 * found already, so it must not be taken away between the two. Whoever removes takes this turn and then looks whether
 * any run is held or being made; whoever takes hold of a run does that first and then looks whether this turn is
 * taken. So at least one of them sees the other.
 */

export const turnsFolder = '.pawl/turns';
const actor = 'gc';

/** Takes the right to remove things from a workspace. From then on nobody takes hold of a run in it. */
export async function takeGcTurn(
  { disk, host, clock, ids }: Environment,
  root: string,
): Promise<Result<Turn, Failure>> {
  const own = openOwnFolder(disk, root);
  if (!own.ok) return own;
  const eventsFolder = `${root}/${turnsFolder}`;
  return await takeTurn({
    disk,
    host,
    clock,
    ids,
    eventsFolder,
    actor,
    run: actor,
    takeover: false,
  });
}

/** Who removes things from the workspace, when somebody does or may do. */
export function collectorOf(env: Environment, root: string): Holder | undefined {
  return turnHolder(env, root, actor);
}

/** Who is making a run right now; it may not be found among the runs yet. */
export function runMaker(
  env: Environment,
  root: string,
): { readonly run: string; readonly holder: Holder } | undefined {
  for (const run of env.disk.list(`${root}/${turnsFolder}`) ?? []) {
    const holder = run === actor ? undefined : turnHolder(env, root, run);
    if (holder !== undefined) return { run, holder };
  }
  return undefined;
}

function turnHolder({ disk, host }: Environment, root: string, name: string): Holder | undefined {
  const newest = listSegments(disk, `${root}/${turnsFolder}/${name}`).at(-1);
  return newest && segmentHolder(disk, host, newest, name);
}

/** Who is at the desk of a run, to claim or complete something: it may put files into the content store. */
export function visitorOf({ disk, host }: Environment, runFolder: string): Holder | undefined {
  const newest = listSegments(disk, `${runFolder}/${deskName}`).at(-1);
  return newest && segmentHolder(disk, host, newest, deskName);
}
