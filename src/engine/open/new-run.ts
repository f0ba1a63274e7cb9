import { hashJson } from '../../base/hash.ts';
import { newRunId } from '../../base/ids.ts';
import { programVersion } from '../../base/program.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { makeFolderDurable } from '../../disk/write.ts';
import type { RunCreated } from '../../model/event.ts';
import type { Failure } from '../../model/failure.ts';
import { recordedPace } from '../../planner/notices.ts';
import { record } from '../../runner/context.ts';
import { findRun, openRunIds } from './find-run.ts';
import { findGcOwner } from './gc-lock.ts';
import { gitHead } from './git-head.ts';
import { abandon, asFailure, type Hold, type HoldOptions, lockRun } from './hold.ts';
import { openOwnFolder } from './own-folder.ts';
import { workspaceLocks } from './run-files.ts';
import { keepRunPlace, runsFolder } from './run-places.ts';
import type { Workspace } from './workspace.ts';

/**
 * Takes hold of a new run, and has recorded what it is for before anybody else may make one. Of processes that all
 * found no run of an identity one has the turn, and looks once more. Undefined: somebody was faster, there is one now.
 */
export async function lockNewRun(
  workspace: Workspace,
  options: HoldOptions & { readonly fresh: boolean },
): Promise<Result<Hold | undefined, Failure>> {
  const { env, root, loaded } = workspace;
  const { name, identity } = loaded.pipeline;
  const own = openOwnFolder(env.disk, root);
  if (!own.ok) return own;
  const lock = hashJson([name, identity]).slice('sha256:'.length, 'sha256:'.length + 32);
  const turn = await workspaceLocks(env, root).take(lock, { run: name, takeover: options.takeover });
  if (!turn.ok) return turn;
  try {
    if (!options.fresh) {
      const found = findRun(workspace, {});
      if (!found.ok) return found;
      if (found.value !== undefined) return ok(undefined);
    }
    const id = workspace.nextRunId ?? newRunId(env.clock.now(), name, env.ids);
    const folder = workspace.runFolder ?? `${runsFolder}/${id}`;
    // Runs of two identities may be called alike.
    if (env.disk.stat(`${root}/${folder}`) !== undefined) return ok(undefined);
    const replaces = options.fresh ? openRunIds(workspace) : [];
    const collector = options.takeover ? undefined : findGcOwner(env, root);
    if (collector !== undefined) return fail({ reason: 'run-held', run: id, holder: collector });
    await makeRunFolder(workspace, folder);
    const hold = await lockRun(workspace, { id, folder }, options);
    const created = hold.ok ? await recordCreated(workspace, hold.value, replaces) : hold;
    return !created.ok || turn.value.isHeld() ? created : await giveUp(created.value);
  } finally {
    turn.value.release();
  }
}

/** Where the manifest has put it the folder is the user's, as the outputs in it are; what Pawl keeps there is private. */
async function makeRunFolder({ env, root, loaded }: Workspace, folder: string): Promise<void> {
  if (folder.startsWith(`${runsFolder}/`)) return;
  const path = `${root}/${folder}`;
  if (loaded.pipeline.durability === 'power') await makeFolderDurable(env.disk, path, 'shared');
  else env.disk.makeFolder(path, 'shared');
}

async function recordCreated(
  workspace: Workspace,
  hold: Hold,
  replaces: readonly string[],
): Promise<Result<Hold, Failure>> {
  try {
    await record(hold, runCreated(workspace, hold, replaces));
    keepRunPlace(workspace.env, workspace.root, hold);
    return ok(hold);
  } catch (error) {
    await abandon(hold);
    return fail(asFailure(hold.id, error));
  }
}

/** Whoever displaced this process may have looked before the run was there, and then makes another one. */
async function giveUp(hold: Hold): Promise<Result<never, Failure>> {
  try {
    await record(hold, { type: 'run_ended', status: 'cancelled' });
    return fail({ reason: 'fenced-out', run: hold.id, holder: undefined });
  } catch (error) {
    return fail(asFailure(hold.id, error));
  } finally {
    await abandon(hold);
  }
}

/** The first event of every run. */
export function runCreated(
  { loaded, manifest, runFolder }: Workspace,
  { id, host, disk, root }: Hold,
  replaces: readonly string[] = [],
): RunCreated {
  const { name, identity, durability } = loaded.pipeline;
  const head = gitHead(disk, root);
  const version = programVersion();
  return {
    type: 'run_created',
    run: id,
    pipeline: name,
    identity,
    durability,
    manifest,
    ...(runFolder !== undefined && { folder: runFolder }),
    ...(head !== undefined && { gitHead: head }),
    ...(replaces.length > 0 && { replaces }),
    ...(version !== undefined && { pawl: version }),
    pace: recordedPace(loaded.pipeline),
    boot: host.self.boot,
  };
}
