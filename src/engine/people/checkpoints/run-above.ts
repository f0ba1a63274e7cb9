import { DiskError } from '../../../disk/disk.ts';
import type { ProcessName } from '../../../disk/host.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { stepName } from '../../../model/names.ts';
import { openRunJournal } from '../../open/run-files.ts';
import { runPlaces } from '../../open/run-places.ts';
import type { Workspace } from '../../open/workspace.ts';

/**
 * Whether Pawl itself started the process that calls. A phase can drop the variables that name it and open a terminal of
 * its own, but it cannot choose its ancestors: one of them is the process that Pawl started for a step, or the process
 * that still has a journal of this workspace open. Both are on record with their start time, because a pid is reused.
 */
export function runAbove(
  { env, root, loaded }: Workspace,
  ledger: Ledger,
): { readonly cell: string | undefined } | undefined {
  const ancestors = new Map(env.host.ancestors().map(({ pid, started }) => [pid, started]));
  const isAncestor = ({ pid, started, host }: ProcessName) =>
    started !== '' && host === env.host.self.host && ancestors.get(pid) === started;
  for (const steps of ledger.steps.byUnit.values())
    for (const { unit, phase, running } of steps)
      if (running?.process !== undefined && isAncestor(running.process))
        return { cell: stepName(unit, phase) };
  const isOpenedAbove = runPlaces(env, root, loaded.pipeline).some(({ folder }) =>
    writersOf({ env, root }, folder).some(isAncestor),
  );
  return isOpenedAbove ? { cell: undefined } : undefined;
}

/** The processes that have a journal of this run open: its runner, and those that complete a task or decide something. */
function writersOf({ env, root }: Pick<Workspace, 'env' | 'root'>, folder: string): ProcessName[] {
  try {
    return openRunJournal(env, root, folder).unreleased();
  } catch (error) {
    // A run that cannot be read has no say here: it must not keep a person from answering for another one.
    if (error instanceof DiskError) return [];
    throw error;
  }
}
