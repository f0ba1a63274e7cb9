import { planContext } from '../../planner/context.ts';
import { newestState } from '../../planner/run.ts';
import { projectedFiles } from '../../projections/file-owners.ts';
import type { OpenedRun } from '../open/open-run.ts';
import { countBehindJournal } from './behind-journal.ts';
import { isProofOwed, type RunPlan } from './plan-from-disk.ts';

/** True if there is nothing to run and nothing to write: every step is up to date, and so is every file made from the ledger. */
export function isIdle(seen: RunPlan, opened: OpenedRun): boolean {
  if (opened.status !== 'completed' || !seen.plan.finished) return false;
  const { env, root } = seen.workspace;
  if (countBehindJournal(env, root, opened) !== undefined) return false;
  return !isProofOwed(seen) && isStateShown(seen) && hasShownFiles(seen, opened.folder);
}

/** False if a file made from the ledger is missing, because the next run writes it. Lists each folder once instead of asking for each file. */
function hasShownFiles({ workspace, ledger }: RunPlan, folder: string): boolean {
  const { env, root, loaded } = workspace;
  const listed = new Map<string, Set<string>>();
  for (const path of projectedFiles(loaded.pipeline, folder, ledger)) {
    const cut = path.lastIndexOf('/');
    const parent = path.slice(0, Math.max(0, cut));
    let names = listed.get(parent);
    if (names === undefined) {
      names = new Set(env.disk.list(`${root}/${parent}`));
      listed.set(parent, names);
    }
    if (!names.has(path.slice(cut + 1))) return false;
  }
  return true;
}

/** False if the shown state is missing or behind, because the next run writes it. */
function isStateShown({ workspace, ledger, facts, plan }: RunPlan): boolean {
  const newest = newestState(planContext(workspace.loaded, ledger, facts), plan.units);
  return newest === undefined || newest.hash === facts.state?.shown?.hash;
}
