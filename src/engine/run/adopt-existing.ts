import { ok, type Result } from '../../base/result.ts';
import type { ArtifactAdopted, EventBody } from '../../model/event.ts';
import type { Failure } from '../../model/failure.ts';
import { keepOwnFile } from '../../runner/attempts/inputs.ts';
import { record } from '../../runner/context.ts';
import type { Progress } from '../../runner/progress.ts';
import { makeRoom, stagingFolder } from '../../runner/promotion.ts';
import type { FoundFile } from '../observe/unknown-files.ts';
import { lockRun, releaseAfter } from '../open/hold.ts';
import { lockNewRun } from '../open/new-run.ts';
import type { OpenedRun } from '../open/open-run.ts';
import { keepSources, newRevision } from '../open/revision.ts';
import type { Workspace } from '../open/workspace.ts';
import { planAdoption } from '../show/existing-outputs.ts';
import type { RunRequest } from './run-request.ts';

/** Makes the new run, and records in it what is adopted. It is then resumed like any other. */
export async function adoptExisting(
  workspace: Workspace,
  opened: OpenedRun | undefined,
  request: RunRequest,
  files: readonly FoundFile[],
): Promise<Result<readonly ArtifactAdopted[], Failure>> {
  const options = { takeover: request.takeover ?? false };
  const taken =
    opened === undefined
      ? await lockNewRun(workspace, { ...options, fresh: request.fresh ?? false })
      : await lockRun(workspace, opened, options);
  if (!taken.ok) return taken;
  const hold = taken.value;
  // Another process made the run in the meantime: it is no longer new.
  if (hold === undefined) return ok([]);
  return await releaseAfter(workspace, hold, async () => {
    const staging = stagingFolder(hold);
    const { events, state } = await planAdoption(workspace, files, staging);
    const observe = (progress: Progress) => request.observer?.progress(progress);
    if (state !== undefined) makeRoom({ ...hold, observe }, state, undefined, []);
    await keepSources(workspace, hold.store);
    for (const { after, unitFile } of events) {
      await hold.store.putFile(`${hold.root}/${after.path}`);
      if (unitFile !== undefined) await keepOwnFile(hold, unitFile);
    }
    const revision = newRevision(workspace, hold.ledger);
    const first: EventBody[] = revision === undefined ? [] : [revision];
    await record(hold, ...first, ...events, { type: 'run_ended', status: 'stopped' });
    return ok(events);
  });
}
