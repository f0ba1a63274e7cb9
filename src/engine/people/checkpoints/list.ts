import { ok, type Result } from '../../../base/result.ts';
import type { Failure } from '../../../model/failure.ts';
import { planAfterDefaults } from '../../observe/plan-from-disk.ts';
import { checkpointViews } from '../../observe/questions.ts';
import type { Environment } from '../../open/environment.ts';
import { createRunHeading, needRun } from '../../open/find-run.ts';
import type { Target } from '../../open/requests.ts';
import { resolvePipelineForRun } from '../../open/resolve-pipeline.ts';
import { openWorkspace } from '../../open/workspace.ts';
import type { CheckpointsAnswer } from './answers.ts';

/** What waits for a person, since when, and what it is about; with `history` also what was ever decided. */
export async function listCheckpoints(
  env: Environment,
  { history = false, ...target }: Target & { readonly history?: boolean | undefined },
): Promise<Result<CheckpointsAnswer, Failure>> {
  const workspace = await openWorkspace(env, target);
  if (!workspace.ok) return workspace;
  const opened = needRun(workspace.value, target);
  if (!opened.ok) return opened;
  const placed = await resolvePipelineForRun(workspace.value, opened.value);
  const { ledger, plan, facts } = await planAfterDefaults(placed, opened.value);
  const views = checkpointViews(ledger, plan, facts.now);
  const isOpen = (state: string) => state === 'waiting' || state === 'not-asked';
  return ok({
    heading: createRunHeading(placed, opened.value),
    checkpoints: history ? views : views.filter(({ state }) => isOpen(state)),
    history,
  });
}
