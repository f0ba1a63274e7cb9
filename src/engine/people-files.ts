import { Projections } from '../runner/projections.ts';
import type { Hold } from './hold.ts';
import { look } from './look.ts';
import type { OpenedRun } from './open-run.ts';
import type { Workspace } from './workspace.ts';

const never = new AbortController().signal;

/** Brings the files that people read up to what was just recorded; where nobody has asked for a page, there is no need. */
export async function showPeople(workspace: Workspace, opened: OpenedRun, hold: Hold): Promise<void> {
  if (workspace.loaded.pipeline.layout.status === undefined) return;
  const seen = await look(workspace, { ...opened, ledger: hold.ledger }, { deep: false, restore: false });
  const run = { ...hold, facts: seen.facts, observe: () => undefined, stop: never, interrupt: never };
  new Projections(run, seen.plan.units).end();
}
