import { fail, ok, type Result } from '../../base/result.ts';
import type { Failure } from '../../model/failure.ts';
import { isTerminal } from '../../model/status.ts';
import { record } from '../../runner/context.ts';
import { updateProjections } from '../observe/people-files.ts';
import type { Environment } from '../open/environment.ts';
import type { RunHeading } from '../open/find-run.ts';
import { createRunHeading, needRun } from '../open/find-run.ts';
import { lockRun, releaseAfter } from '../open/hold.ts';
import type { Target } from '../open/requests.ts';
import { resolvePipelineForRun } from '../open/resolve-pipeline.ts';
import { openWorkspace } from '../open/workspace.ts';

export interface CancelRequest extends Target {
  readonly reason: string;
  /** Who cancels it; undefined: the user of this process. */
  readonly by?: string | undefined;
}

/** Ends a run for good: it is never gone on with, and the next one starts fresh. Its files stay where they are. */
export async function cancelRun(
  env: Environment,
  { reason, by, ...target }: CancelRequest,
): Promise<Result<CancelAnswer, Failure>> {
  const workspace = await openWorkspace(env, target);
  if (!workspace.ok) return workspace;
  const opened = needRun(workspace.value, target);
  if (!opened.ok) return opened;
  const { id, status } = opened.value;
  if (opened.value.isToldOnly) return fail({ reason: 'told-only', run: id });
  if (isTerminal(status) || status === 'completed') return fail({ reason: 'run-terminal', run: id, status });
  const placed = await resolvePipelineForRun(workspace.value, opened.value);
  const hold = await lockRun(placed, opened.value, { takeover: false });
  if (!hold.ok) return hold;
  return await releaseAfter(placed, hold.value, async () => {
    await record(hold.value, {
      type: 'run_ended',
      status: 'cancelled',
      reason,
      ...(by !== undefined && { by }),
    });
    await updateProjections(placed, opened.value, hold.value);
    const { ledger } = hold.value;
    return ok({ heading: createRunHeading(placed, { id, ledger, status: 'cancelled' }), reason });
  });
}

/** A run that was ended for good. */
export interface CancelAnswer {
  readonly heading: RunHeading;
  readonly reason: string;
}
