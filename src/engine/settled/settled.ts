import { planContext } from '../../planner/context.ts';
import { newestState } from '../../planner/run.ts';
import { projectedFiles } from '../../runner/projected-files.ts';
import { countBehindJournal } from '../look/behind-journal.ts';
import { isProofOwed, type Look } from '../look/look.ts';
import type { OpenedRun } from '../open/open-run.ts';

/** There is nothing to do and nothing to write: every cell is proven, and every file that people read is there and up to date. */
export function isSettled(seen: Look, opened: OpenedRun): boolean {
  if (opened.status !== 'completed' || !seen.plan.finished) return false;
  const { env, root } = seen.workspace;
  if (countBehindJournal(env, root, opened) !== undefined) return false;
  return !isProofOwed(seen) && isStateShown(seen) && hasShownFiles(seen, opened.folder);
}

/** A file for people that somebody removed is made anew by going on. One listing per folder, not a look at each file. */
function hasShownFiles({ workspace, ledger }: Look, folder: string): boolean {
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

/** A state file that was removed, or is behind, is put back by going on. */
function isStateShown({ workspace, ledger, facts, plan }: Look): boolean {
  const newest = newestState(planContext(workspace.loaded, ledger, facts), plan.units);
  return newest === undefined || newest.hash === facts.state?.shown?.hash;
}
