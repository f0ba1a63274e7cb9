import { fail, ok, type Result } from '../../base/result.ts';
import type { Failure } from '../../model/failure.ts';
import { isTerminal } from '../../model/status.ts';
import { takeClaimLock } from './claim-lock.ts';
import type { Environment } from './environment.ts';
import { type FindOptions, needRun } from './find-run.ts';
import { type Hold, openVisitorRun, releaseAfter } from './hold.ts';
import { type OpenedRun, unacceptedDamage } from './open-run.ts';
import type { Target } from './requests.ts';
import { resolvePipelineForRun } from './resolve-pipeline.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

/** A run in the hands of somebody who has one thing to say. */
export interface LockedRun {
  readonly workspace: Workspace;
  readonly opened: OpenedRun;
  readonly hold: Hold;
}

/**
 * Comes to the run that is meant, beside whoever carries it out, and lets go of it again. One visitor at a time: each
 * sees all that those before it have said. A run that is over, or damaged, hears nobody.
 */
export async function withRunLock<T>(
  env: Environment,
  target: Target,
  actor: string,
  say: (at: LockedRun) => Promise<Result<T, Failure>>,
  options: FindOptions = {},
): Promise<Result<T, Failure>> {
  const come = await openRunForWriting(env, target, options);
  if (!come.ok) return come;
  const { opened } = come.value;
  const placed = await resolvePipelineForRun(come.value.workspace, opened);
  const turn = await takeClaimLock(placed, opened);
  if (!turn.ok) return turn;
  try {
    const held = openVisitorRun(placed, opened, actor);
    if (!held.ok) return held;
    const hold = held.value;
    return await releaseAfter(placed, hold, () => say({ workspace: placed, opened, hold }));
  } finally {
    turn.value.release();
  }
}

/** The run that a visitor means; one that hears nobody is told now. */
export async function openRunForWriting(
  env: Environment,
  target: Target,
  options: FindOptions = {},
): Promise<Result<Pick<LockedRun, 'workspace' | 'opened'>, Failure>> {
  const workspace = await openWorkspace(env, target);
  if (!workspace.ok) return workspace;
  const found = needRun(workspace.value, target, options);
  if (!found.ok) return found;
  const opened = found.value;
  if (opened.isToldOnly) return fail({ reason: 'told-only', run: opened.id });
  if (isTerminal(opened.status))
    return fail({ reason: 'run-terminal', run: opened.id, status: opened.status });
  const findings = unacceptedDamage(opened);
  if (findings.length > 0) return fail({ reason: 'journal-damaged', run: opened.id, findings });
  return ok({ workspace: workspace.value, opened });
}
