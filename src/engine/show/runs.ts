import { join } from 'node:path';
import { formatTime, parseTime } from '../../base/clock.ts';
import { byCodeUnit } from '../../base/json.ts';
import { ok, type Result } from '../../base/result.ts';
import { type Ledger, newestResult } from '../../ledger/ledger.ts';
import { takeSpent, wholeRun, workedMs } from '../../ledger/spent.ts';
import type { Cost } from '../../model/event.ts';
import type { Failure, Finding } from '../../model/failure.ts';
import { countSteps } from '../observe/board.ts';
import { planAfterDefaults } from '../observe/plan-from-disk.ts';
import type { Environment } from '../open/environment.ts';
import type { RunHeading } from '../open/find-run.ts';
import { allRuns, createRunHeading, isDamaged, worksOn } from '../open/find-run.ts';
import type { OpenedRun } from '../open/open-run.ts';
import type { Target } from '../open/requests.ts';
import { findHidingListFailure, resolvePipelineForRun } from '../open/resolve-pipeline.ts';
import { openWorkspace, type Workspace } from '../open/workspace.ts';

/** Every run of a workspace, the newest first; one that cannot be read is listed as damaged. */
export async function listRuns(env: Environment, target: Target): Promise<Result<RunsAnswer, Failure>> {
  const workspace = await openWorkspace(env, target);
  if (!workspace.ok) return workspace;
  const opened = listedOf(workspace.value);
  const runs: RunsAnswer['runs'][number][] = [];
  for (const run of opened) runs.push(await listedRun(workspace.value, run));
  return ok({ runs });
}

/** The ids alone, the newest first. */
export async function listRunIds(
  env: Environment,
  target: Target,
): Promise<Result<readonly string[], Failure>> {
  const workspace = await openWorkspace(env, target);
  if (!workspace.ok) return workspace;
  return ok(listedOf(workspace.value).map(({ id, ledger }) => ledger.run?.run ?? id));
}

function listedOf(workspace: Workspace): OpenedRun[] {
  return allRuns(workspace)
    .filter((opened) => opened.ledger.run !== undefined || isDamaged(opened))
    .sort((a, b) => byCodeUnit(createdAt(b), createdAt(a)) || byCodeUnit(b.id, a.id));
}

/** Of a run whose journal cannot be read: the minute that its id begins with. */
function createdAt({ id, ledger }: OpenedRun): string {
  return ledger.createdAt || id.replace(/^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d).*$/, '$1-$2-$3T$4:$5');
}

/** A run whose first event cannot be read is damaged, because its pipeline and identity are unknown. */
async function listedRun(workspace: Workspace, opened: OpenedRun): Promise<ListedRun | DamagedRun> {
  const { ledger, status, folder } = opened;
  if (ledger.run === undefined)
    return { run: opened.id, workspace: workspace.shownPath, status: 'damaged', findings: opened.findings };
  const now = workspace.env.clock.now();
  const { usd, tokens } = takeSpent({ spent: [...ledger.spent] }, wholeRun);
  return {
    ...createRunHeading(workspace, opened),
    folder: join(workspace.shownRoot, folder),
    units: await unitsOf(workspace, opened),
    cost: { usd, ...(tokens > 0 && { tokens }) },
    workedMs: workedMs(ledger.worked, status === 'running' ? formatTime(now) : undefined),
    ageMs: Math.max(0, now - (parseTime(ledger.createdAt) ?? now)),
  };
}

/** As `status` counts them, where this manifest has the run's units; otherwise as far as the journal knows. */
async function unitsOf(workspace: Workspace, opened: OpenedRun): Promise<ListedRun['units']> {
  const { ledger, status } = opened;
  const known = countUnits(ledger);
  if (status === 'completed') return { done: known.all, total: known.all };
  if (worksOn(workspace, opened.folder) !== 'yes') return { done: known.done };
  const placed = await resolvePipelineForRun(workspace, opened);
  const { plan } = await planAfterDefaults(placed, opened);
  if (findHidingListFailure(placed, plan) !== undefined) return { done: known.done };
  const { units, unitsFinished } = countSteps(plan);
  return { done: unitsFinished, total: units };
}

function countUnits({ steps }: Ledger): { readonly all: number; readonly done: number } {
  let done = 0;
  for (const ofUnit of steps.byUnit.values())
    if (ofUnit.every((step) => newestResult(step) !== undefined)) done += 1;
  return { all: steps.byUnit.size, done };
}

export interface RunsAnswer {
  /** The newest first. */
  readonly runs: readonly (ListedRun | DamagedRun)[];
}

export interface ListedRun extends RunHeading {
  /** The run's own folder, as it can be typed. */
  readonly folder: string;
  /** `total` is absent where only another manifest knows all units of the run. */
  readonly units: { readonly done: number; readonly total?: number };
  readonly cost: Pick<Cost, 'usd'> & { readonly tokens?: number };
  /** How long `pawl run` processes have worked on it, without the pauses between them. */
  readonly workedMs: number;
  /** Since it was created. */
  readonly ageMs: number;
}

/** A run folder that cannot be read: listed, never skipped and never taken for fresh. */
export interface DamagedRun {
  readonly run: string;
  readonly workspace: string;
  readonly status: 'damaged';
  readonly findings: readonly Finding[];
}
