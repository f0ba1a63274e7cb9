import { Projections } from '../../runner/projections.ts';
import { look } from '../look/look.ts';
import type { OpenedRun } from '../open/open-run.ts';
import type { Workspace } from '../open/workspace.ts';
import type { Hold } from '../run/hold.ts';
import { runContext } from '../tasks/hand.ts';

/** Brings the files that people read up to what was just recorded; where nobody has asked for a page, there is no need. */
export async function showPeople(workspace: Workspace, opened: OpenedRun, hold: Hold): Promise<void> {
  if (workspace.loaded.pipeline.layout.status === undefined) return;
  const seen = await look(workspace, { ...opened, ledger: hold.ledger }, { deep: false, restore: false });
  new Projections(runContext({ hold }, seen), seen.plan.units).end();
}
