import { fail, ok, type Result } from '../../base/result.ts';
import type { Failure, Finding } from '../../model/failure.ts';
import type { Notice, ReachedLimit, Refusal } from '../../model/reason.ts';
import { isTerminal, noSteps, type StepStatus } from '../../model/status.ts';
import type { Plan } from '../../planner/plan.ts';
import type { ChosenSteps } from '../../planner/rerun.ts';
import type { Stop } from '../../runner/outcome.ts';
import { countBehindJournal } from '../observe/behind-journal.ts';
import type { Extent, UnitRow } from '../observe/board.ts';
import { extentOf, phaseNames, unitRows } from '../observe/board.ts';
import { withRejectedImports } from '../observe/enter-told.ts';
import type { CallInDoubt, PausedStop } from '../observe/open-calls.ts';
import { callsInDoubt, pausedStops, retryTime } from '../observe/open-calls.ts';
import { planAfterDefaults } from '../observe/plan-from-disk.ts';
import { selectSteps } from '../observe/select.ts';
import type { StaleRun } from '../observe/stale-answer.ts';
import { detectStaleRun } from '../observe/stale-run.ts';
import type { Environment } from '../open/environment.ts';
import type { RunHeading } from '../open/find-run.ts';
import { createRunHeading, findRun } from '../open/find-run.ts';
import { findRunOwner, shownFindings } from '../open/open-run.ts';
import type { SelectionRequest, Target } from '../open/requests.ts';
import { findHidingListFailure, listFindings, resolvePipelineForRun } from '../open/resolve-pipeline.ts';
import { openWorkspace } from '../open/workspace.ts';
import { judgePages } from '../status-import/judge.ts';

/** Where a run stands now: the journal and the disk, not a file that says so. */
export async function showStatus(
  env: Environment,
  target: Target & SelectionRequest,
): Promise<Result<StatusAnswer, Failure>> {
  const workspace = await openWorkspace(env, target);
  if (!workspace.ok) return workspace;
  const found = findRun(workspace.value, target);
  if (!found.ok) return found;
  const placed = await resolvePipelineForRun(workspace.value, found.value);
  // Where there is no run yet, status pages may say where the work stands.
  const pages = await judgePages(placed, found.value);
  if (!pages.ok) return pages;
  const opened = pages.value?.opened ?? found.value;
  if (opened === undefined) return fail({ reason: 'no-run', workspace: placed.shownPath });
  const { ledger, status } = opened;
  const seen = await planAfterDefaults(placed, opened);
  const { plan } = seen;
  const chosen = selectSteps(seen, target);
  if (!chosen.ok) return chosen;
  const isMeant = isMeantBy(chosen.value);
  const hiding = findHidingListFailure(placed, plan);
  if (hiding !== undefined) return fail(hiding);
  const stale = isTerminal(status) || status === 'running' ? undefined : detectStaleRun(seen, []);
  const behind = countBehindJournal(env, placed.root, opened);
  const madeBy = ledger.run?.pawl;
  const inDoubt = status === 'running' ? [] : callsInDoubt(plan).filter(isMeant);
  const paused = pausedStops(plan).filter(isMeant);
  const units = narrowRows(unitRows(ledger, plan, status === 'running'), chosen.value);
  const phases = phaseNames(placed.loaded.pipeline).filter((phase) => hasPhase(units, phase, chosen.value));
  const files = await withRejectedImports(placed, opened, plan.notices);
  return ok({
    heading: createRunHeading(placed, opened),
    phases,
    units,
    ...(chosen.value !== undefined && { narrowed: true as const }),
    extent: narrowExtent(extentOf(placed.loaded.pipeline, plan), units, chosen.value),
    counts: countStatuses(units),
    byPhase: phases.map((phase) => ({ phase, counts: countStatuses(units, phase) })),
    ...(madeBy !== undefined && { madeBy }),
    ...(stale !== undefined && { stale }),
    ...(behind !== undefined && { behind }),
    holder: findRunOwner(env, opened),
    refusals: plan.refusals.filter(isMeant),
    ...(plan.limits.length > 0 && !plan.finished && { limits: plan.limits }),
    ...retryTime(plan),
    ...(paused.length > 0 && { paused }),
    ...(inDoubt.length > 0 && { inDoubt }),
    ...stuckAt(plan, isMeant),
    notices: [...(pages.value?.notices ?? []), ...files],
    findings: [...shownFindings(opened), ...listFindings(placed)],
  });
}

type Rows = StatusAnswer['units'];

/** What concerns no one step concerns all of them. */
function isMeantBy(chosen: ChosenSteps | undefined): (about: object) => boolean {
  return (about) => {
    if (chosen === undefined || !('unit' in about) || !('phase' in about)) return true;
    return chosen.isSelected(String(about.unit), String(about.phase));
  };
}

function narrowRows(rows: Rows, chosen: ChosenSteps | undefined): Rows {
  if (chosen === undefined) return rows;
  return rows.flatMap(({ unit, cells: steps }) => {
    const selected = steps.filter(({ phase }) => chosen.isSelected(unit, phase));
    return selected.length === 0 ? [] : [{ unit, cells: selected }];
  });
}

function hasPhase(rows: Rows, phase: string, chosen: ChosenSteps | undefined): boolean {
  return chosen === undefined || rows.some(({ cells: steps }) => steps.some((step) => step.phase === phase));
}

function narrowExtent(extent: Extent, rows: Rows, chosen: ChosenSteps | undefined): Extent {
  if (chosen === undefined) return extent;
  const shown = new Set(rows.map(({ unit }) => unit));
  return { ...extent, units: extent.units.filter(({ unit }) => shown.has(unit)) };
}

function stuckAt(
  { units, finished }: Plan,
  isMeant: (about: object) => boolean,
): Pick<StatusAnswer, 'stuck'> {
  if (finished) return {};
  const stuck: Stop[] = [];
  for (const { cells: steps } of units.values())
    for (const { unit, phase, decision } of steps) {
      if (decision.do === 'run' || decision.do === 'restore' || decision.do === 'claimed') return {};
      if (decision.do === 'stop' && isMeant({ unit, phase })) stuck.push({ unit, phase, why: decision.why });
    }
  return stuck.length > 0 ? { stuck } : {};
}

function countStatuses(units: Rows, only?: string): Record<StepStatus, number> {
  const counts = noSteps();
  for (const { cells: steps } of units)
    for (const { phase, status } of steps) if (only === undefined || phase === only) counts[status] += 1;
  return counts;
}

export interface StatusAnswer {
  readonly heading: RunHeading;
  readonly phases: readonly string[];
  readonly units: readonly UnitRow[];
  /** Only some steps were asked for; absent: all are here. */
  readonly narrowed?: true;
  readonly extent: Extent;
  readonly counts: Readonly<Record<StepStatus, number>>;
  /** The same by phase, in their order. */
  readonly byPhase: readonly {
    readonly phase: string;
    readonly counts: Readonly<Record<StepStatus, number>>;
  }[];
  /** The version of Pawl that made the run; absent: it is not on record. */
  readonly madeBy?: string;
  /** Nothing has happened for longer than `pace.stale_after`: run would ask first. Absent: it would not. */
  readonly stale?: StaleRun;
  /** By how many events the files made from the journal are behind it; absent: by none. */
  readonly behind?: number;
  readonly holder: { readonly pid: number; readonly host: string; readonly since: string } | undefined;
  readonly refusals: readonly Refusal[];
  /** When the first of what a provider asked to wait for may go on; absent: nothing waits so. */
  readonly retryAt?: string;
  /** Limits and budgets that keep it from going on; absent: none does. */
  readonly limits?: readonly ReachedLimit[];
  /** Where a run would start nothing: the cells that keep it from that; absent: it would, or there is nothing to do. */
  readonly stuck?: readonly Stop[];
  /** What providers asked to wait; absent: nothing. */
  readonly paused?: readonly PausedStop[];
  /** Calls of models that were sent, and of whose answer nobody knows. */
  readonly inDoubt?: readonly CallInDoubt[];
  readonly notices: readonly Notice[];
  readonly findings: readonly Finding[];
}
