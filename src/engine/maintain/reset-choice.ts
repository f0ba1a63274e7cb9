import { byCodeUnit } from '../../base/json.ts';
import { ok, type Result } from '../../base/result.ts';
import type { Disk } from '../../disk/disk.ts';
import type { Failure } from '../../model/failure.ts';
import { isTerminal } from '../../model/status.ts';
import { allRuns, findRun, worksOn } from '../open/find-run.ts';
import type { OpenedRun } from '../open/open-run.ts';
import type { Target } from '../open/requests.ts';
import type { Workspace } from '../open/workspace.ts';
import { manifestPath } from './reset-archive.ts';

/**
 * The runs that a reset puts away, newest first: the one that was named, or every one of the identity that could be come
 * back to, and those that an earlier reset has only begun to put away.
 */
export function runsToReset(workspace: Workspace, target: Target): Result<readonly OpenedRun[], Failure> {
  const { disk } = workspace.env;
  if (target.run === undefined) {
    const found = allRuns(workspace).filter(
      (run) =>
        worksOn(workspace, run.folder) !== 'no' &&
        run.ledger.run !== undefined &&
        (!isTerminal(run.status) || isBegun(disk, workspace.root, run)),
    );
    if (found.length > 0) return ok(found.sort(byAge).reverse());
  }
  const one = findRun(workspace, target, { evenDamaged: true });
  return one.ok ? ok(one.value === undefined ? [] : [one.value]) : one;
}

/** A run that is over for good and has an archive: somebody began to put it away, and some of it may be there alone. */
export function isBegun(disk: Disk, root: string, { id, status }: OpenedRun): boolean {
  return isTerminal(status) && disk.stat(`${root}/${manifestPath(id)}`) !== undefined;
}

/** What the next run would come back to, or stumble over; none: it starts fresh. */
export function runsThatAreNext(workspace: Workspace): readonly string[] {
  const found = findRun(workspace, {});
  if (found.ok) return found.value === undefined ? [] : [found.value.id];
  const { failure } = found;
  if (failure.reason === 'which-run') return failure.candidates.map(({ id }) => id);
  return failure.reason === 'journal-damaged' ? [failure.run] : [];
}

export function byAge(a: OpenedRun, b: OpenedRun): number {
  return byCodeUnit(a.ledger.createdAt, b.ledger.createdAt) || byCodeUnit(a.id, b.id);
}
