import { needsPlans, ProjectedFiles } from '../../projections/projected-files.ts';
import type { Hold } from '../open/hold.ts';
import type { OpenedRun } from '../open/open-run.ts';
import { runnerActor } from '../open/run-files.ts';
import type { Workspace } from '../open/workspace.ts';
import { planRunFromDisk } from './plan-from-disk.ts';

/** Brings the files that people read up to what was just recorded. */
export async function updateProjections(workspace: Workspace, opened: OpenedRun, hold: Hold): Promise<void> {
  if (needsPlans(hold.loaded.pipeline)) {
    const { ledger } = hold;
    const { plan } = await planRunFromDisk(workspace, { ...opened, ledger }, { deep: false, restore: false });
    new ProjectedFiles(hold, plan.units, hold.projections).end();
    // The others tell how the run stands, and what a visitor says does not change that.
  } else if (hold.actor === runnerActor) new ProjectedFiles(hold, new Map(), hold.projections).end();
}
