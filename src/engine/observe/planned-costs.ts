import type { Ledger } from '../../ledger/ledger.ts';
import type { Pipeline } from '../../model/definition.ts';
import { asksModel } from '../../model/executor.ts';
import type { PlanRequest } from '../open/requests.ts';
import { earlierResults } from './earlier-results.ts';
import type { RunPlan } from './plan-from-disk.ts';
import type { PlannedCalls } from './planned-answer.ts';
import type { ReusableStep } from './reusable-steps.ts';

/** Only `run` with the same options does what is shown. */
export function isOverridden(
  { restore, fresh, adoptExisting, replaceExisting, reuse }: PlanRequest,
  overrides: object,
): boolean {
  const isAsked = [restore, fresh, adoptExisting, replaceExisting, reuse].includes(true);
  return isAsked || Object.values(overrides).some((override) => override !== undefined);
}

/** What would be asked and paid, and which steps are free. */
export async function findCosts(
  then: RunPlan,
  folder: string,
  /** The run that is planned. */
  current: string | undefined,
  request: PlanRequest,
  checkedFirst: readonly string[],
): Promise<{ readonly reusable: readonly ReusableStep[]; readonly calls: PlannedCalls | undefined }> {
  const reusable = await findReusable(then, folder, current, request);
  const calls = mayCost(then.workspace.loaded.pipeline, then.ledger)
    ? await (await import('./planned-calls.ts')).plannedCalls(then, folder, reusable, new Set(checkedFirst))
    : undefined;
  return { reusable, calls };
}

/** It asks models, or an attempt has said before what it cost. */
function mayCost({ stages }: Pipeline, { spent }: Pick<Ledger, 'spent'>): boolean {
  return stages.some(({ phases }) => phases.some(asksModel)) || spent.some(({ past }) => past !== undefined);
}

/** Steps that are free, because their result or answer is known. */
async function findReusable(
  then: RunPlan,
  folder: string,
  current: string | undefined,
  request: PlanRequest,
): Promise<readonly ReusableStep[]> {
  const { workspace } = then;
  const earlier = earlierResults(workspace, current, request);
  const asks = workspace.loaded.pipeline.stages.some(({ phases }) => phases.some(asksModel));
  if (earlier === undefined && !asks) return [];
  const { reusableSteps } = await import('./reusable-steps.ts');
  return await reusableSteps(then, folder, earlier, request.noReuse);
}
