import { fail, ok, type Result } from '../../base/result.ts';
import type { Failure } from '../../model/failure.ts';
import { type ChosenSteps, chooseSteps } from '../../planner/rerun.ts';
import { isNamed, readSelection, type SelectionRequest, selectionProblem } from '../../planner/selection.ts';
import type { OpenedRun } from '../open/open-run.ts';
import type { Workspace } from '../open/workspace.ts';
import type { ObservedUnits } from './plan-from-disk.ts';

/** What a command that only shows is asked about; undefined: everything. Units that are no longer listed can be named, too. */
export function selectSteps(
  { workspace, ledger, plan }: Pick<ObservedUnits, 'workspace' | 'ledger' | 'plan'>,
  request: SelectionRequest,
): Result<ChosenSteps | undefined, Failure> {
  const { pipeline } = workspace.loaded;
  const recorded = new Set(ledger.steps.byUnit.keys());
  const selection = readSelection(request, pipeline, recorded);
  if (selection === undefined) return ok(undefined);
  const problem = selectionProblem(pipeline, selection, recorded);
  if (problem !== undefined) return fail({ reason: 'usage', problem });
  return ok(chooseSteps(pipeline, ledger, plan, selection));
}

/** The listed units that a selection names; undefined: it may be about any. */
export function namedUnits(
  { loaded }: Workspace,
  opened: OpenedRun | undefined,
  request: SelectionRequest,
): ReadonlySet<string> | undefined {
  const recorded = opened?.ledger.steps.byUnit.keys() ?? [];
  const names = readSelection(request, loaded.pipeline, recorded)?.units;
  if (names === undefined || names.included.length === 0) return undefined;
  const ids = loaded.pipeline.stages.flatMap(({ units }) => units.map(({ id }) => id));
  return new Set(ids.filter((id) => isNamed(names, id)));
}
