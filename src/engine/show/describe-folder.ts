import { fail, ok, type Result } from '../../base/result.ts';
import type { Failure } from '../../model/failure.ts';
import { retryTime } from '../observe/open-calls.ts';
import { planAfterDefaults } from '../observe/plan-from-disk.ts';
import type { NextAction } from '../observe/task-answers.ts';
import type { Environment } from '../open/environment.ts';
import type { RunHeading } from '../open/find-run.ts';
import { createRunHeading, endedBefore, findRun } from '../open/find-run.ts';
import { shownFindings } from '../open/open-run.ts';
import type { Target } from '../open/requests.ts';
import { findHidingListFailure, listFindings, resolvePipelineForRun } from '../open/resolve-pipeline.ts';
import { openWorkspace } from '../open/workspace.ts';
import { judgePages } from '../status-import/judge.ts';
import { resumeFacts } from './resume.ts';

/** `pawl` alone, in a workspace. */
export interface AloneAnswer {
  readonly pipeline: string;
  readonly identity: Readonly<Record<string, string>>;
  /** What to type in order to mean this manifest. */
  readonly workspace: string;
  /** Undefined: there is none that could be gone on with or is done. */
  readonly run: StandingRun | undefined;
  /** Where there is none: the newest one that was ended for good. */
  readonly ended: RunHeading | undefined;
}

export interface StandingRun {
  readonly heading: RunHeading;
  /** Units that are finished, of those that it is about. */
  readonly done: number;
  readonly total: number;
  readonly next: NextAction;
  /** When what a provider asked to wait for may go on. */
  readonly retryAt?: string;
}

/** Which pipeline is here, where its run stands, and what comes next. Nothing is changed. */
export async function describeFolder(
  env: Environment,
  target: Target = {},
): Promise<Result<AloneAnswer, Failure>> {
  const opened = await openWorkspace(env, target);
  if (!opened.ok) return opened;
  const workspace = opened.value;
  const { name: pipeline, identity } = workspace.loaded.pipeline;
  const here = { pipeline, identity, workspace: workspace.shownPath };
  const run = findRun(workspace, target);
  if (!run.ok) return run;
  const placed = await resolvePipelineForRun(workspace, run.value);
  const pages = await judgePages(placed, run.value);
  if (!pages.ok) return pages;
  const standing = pages.value?.opened ?? run.value;
  if (standing === undefined) {
    const before = endedBefore(workspace);
    return ok({ ...here, run: undefined, ended: before && createRunHeading(workspace, before) });
  }
  const { ledger, plan, facts } = await planAfterDefaults(placed, standing);
  const hiding = findHidingListFailure(placed, plan);
  if (hiding !== undefined) return fail(hiding);
  const { heading, tasks, next } = resumeFacts({
    heading: createRunHeading(placed, standing),
    loaded: placed.loaded,
    manifest: placed.manifest,
    ledger,
    plan,
    refusals: plan.refusals,
    facts,
    findings: [...shownFindings(standing), ...listFindings(placed)],
    gitHead: undefined,
  });
  const shown = { heading, done: tasks.done, total: tasks.total, next, ...retryTime(plan) };
  return ok({ ...here, run: shown, ended: undefined });
}
