import { fail, ok, type Result } from '../../base/result.ts';
import type { Failure } from '../../model/failure.ts';
import { type Chosen, chooseSteps } from '../../planner/chosen.ts';
import { readSelection, type SelectionRequest, selectionProblem } from '../../planner/selection.ts';
import type { Look } from './look.ts';

/** What a command that only shows is asked about; undefined: everything. Units that are no longer listed can be named, too. */
export function selectIn(
  { workspace, ledger, plan }: Pick<Look, 'workspace' | 'ledger' | 'plan'>,
  request: SelectionRequest,
): Result<Chosen | undefined, Failure> {
  const { pipeline } = workspace.loaded;
  const recorded = new Set([...ledger.cells.values()].map(({ unit }) => unit));
  const selection = readSelection(request, pipeline, recorded);
  if (selection === undefined) return ok(undefined);
  const problem = selectionProblem(pipeline, selection, recorded);
  if (problem !== undefined) return fail({ reason: 'usage', problem });
  return ok(chooseSteps(pipeline, ledger, plan, selection));
}
