import { emptyLedger } from '../../ledger/ledger.ts';
import { allQuestions } from '../../ledger/questions.ts';
import { planContext } from '../../planner/context.ts';
import { planUnits } from '../../planner/run.ts';
import { unitScope, widenScope } from '../../planner/unit-scope.ts';
import type { OpenedRun } from '../open/open-run.ts';
import { newRevision } from '../open/revision.ts';
import { runsFolder } from '../open/run-places.ts';
import type { Workspace } from '../open/workspace.ts';
import { openStore } from '../open/workspace.ts';
import { gatherFacts } from './facts.ts';
import { type ObservedUnits, planAfterDefaults, planRunFromDisk } from './plan-from-disk.ts';

/**
 * Looks only at some units and at what their decisions depend on: each of them is planned as it is among all. Units that
 * the pipeline does not list are left out. `asked` undefined: all.
 */
export async function planUnitsFromDisk(
  workspace: Workspace,
  opened: OpenedRun | undefined,
  asked: ReadonlySet<string> | undefined,
): Promise<ObservedUnits> {
  const options = { deep: false, restore: false };
  if (asked === undefined) return await planRunFromDisk(workspace, opened, options);
  const { pipeline } = workspace.loaded;
  const ledger = opened?.ledger ?? emptyLedger();
  const store = openStore(workspace);
  let scope = unitScope(pipeline, ledger, asked);
  for (;;) {
    const facts = await gatherFacts(workspace, opened?.folder ?? runsFolder, ledger, store, {
      ...options,
      changedAfter: ledger.worked.until,
      units: scope.units,
    });
    const { units, undecided } = planUnits(planContext(workspace.loaded, ledger, facts), scope.units);
    if (undecided === undefined) return { workspace, ledger, store, facts, plan: { units } };
    scope = widenScope(pipeline, ledger, scope, undecided);
  }
}

/** The same as a run would find it that goes on without any wish. */
export async function planUnitsAfterDefaults(
  workspace: Workspace,
  opened: OpenedRun | undefined,
  asked: ReadonlySet<string> | undefined,
): Promise<ObservedUnits> {
  if (asked === undefined) return await planAfterDefaults(workspace, opened);
  if (opened !== undefined && hasAnsweredChange(opened)) return await planAfterDefaults(workspace, opened);
  const seen = await planUnitsFromDisk(workspace, opened, asked);
  return opened !== undefined && mayTakeIn(seen) ? await planAfterDefaults(workspace, opened) : seen;
}

/** A person's answer to a change may re-run later steps of every unit, also of those that the change is not about. */
function hasAnsweredChange({ ledger }: OpenedRun): boolean {
  return allQuestions(ledger).some(({ question, decided }) => question === 'change' && decided !== undefined);
}

/**
 * Whether the plan ahead may differ from the plan as of now. The manifest may take in an edit, or results that pass a
 * changed check: if these units are refused now, or if a new revision is recorded with what it takes in of others.
 */
function mayTakeIn({ workspace, ledger, facts, plan }: ObservedUnits): boolean {
  const outputs = workspace.loaded.pipeline.stages.flatMap(({ phases }) =>
    phases.flatMap((phase) => phase.outputs),
  );
  const isPossible = outputs.some(({ onEdit }) => onEdit === 'adopt') || (facts.checksOnly?.size ?? 0) > 0;
  if (!isPossible) return false;
  const isRefused = [...plan.units.values()].some(({ refusals }) => refusals.length > 0);
  return isRefused || newRevision(workspace, ledger) !== undefined;
}
