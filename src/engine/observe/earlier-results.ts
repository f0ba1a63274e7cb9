import { EarlierResultIndex, reusedPhases } from '../../planner/earlier-results.ts';
import { allRuns } from '../open/find-run.ts';
import { unacceptedDamage } from '../open/open-run.ts';
import type { PlanRequest } from '../open/requests.ts';
import type { Workspace } from '../open/workspace.ts';

/**
 * What stands in the other runs of the workspace, for phases that take it. Undefined where none does, so that the journals
 * of other runs are read only for those who asked. A run whose journal is damaged is left out: a result that was taken back
 * there could look as if it stood.
 */
export function earlierResults(
  workspace: Workspace,
  current: string | undefined,
  { reuse = false, noReuse = false }: Pick<PlanRequest, 'reuse' | 'noReuse'>,
): EarlierResultIndex | undefined {
  if (noReuse) return undefined;
  const phases = reusedPhases(workspace.loaded, reuse);
  if (phases.size === 0) return undefined;
  const found = new EarlierResultIndex(phases);
  for (const opened of allRuns(workspace)) {
    const { run } = opened.ledger;
    if (opened.id === current || run === undefined || run.run === current) continue;
    if (unacceptedDamage(opened).length === 0) found.addRun(run.run, opened.ledger);
  }
  return found;
}
