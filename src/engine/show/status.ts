import { fail, ok, type Result } from '../../base/result.ts';
import type { Failure } from '../../model/failure.ts';
import { type CellStatus, isTerminal, noCells } from '../../model/status.ts';
import type { Plan } from '../../planner/plan.ts';
import type { Stop } from '../../runner/outcome.ts';
import type { StatusAnswer } from '../answers.ts';
import { callsInDoubt, pausedStops, retryTime } from '../calls/open-calls.ts';
import type { Environment } from '../environment.ts';
import { countBehindJournal } from '../look/behind-journal.ts';
import { extentOf, phaseNames, unitRows } from '../look/board.ts';
import { lookAhead } from '../look/look.ts';
import { staleRunOf } from '../look/stale-run.ts';
import { enter, hidingList, listFindings } from '../open/enter.ts';
import { findRun, headingOf } from '../open/find-run.ts';
import { holderOf } from '../open/open-run.ts';
import { openWorkspace } from '../open/workspace.ts';
import type { Target } from '../requests.ts';
import { judgePages } from '../status-import/judge.ts';

/** Where a run stands now: the journal and the disk, not a file that says so. */
export async function showStatus(env: Environment, target: Target): Promise<Result<StatusAnswer, Failure>> {
  const workspace = await openWorkspace(env, target);
  if (!workspace.ok) return workspace;
  const found = findRun(workspace.value, target);
  if (!found.ok) return found;
  const placed = await enter(workspace.value, found.value);
  // Where there is no run yet, status pages may say where the work stands.
  const pages = await judgePages(placed, found.value);
  if (!pages.ok) return pages;
  const opened = pages.value?.opened ?? found.value;
  if (opened === undefined) return fail({ reason: 'no-run', workspace: placed.shownPath });
  const { ledger, status, findings } = opened;
  const seen = await lookAhead(placed, opened);
  const { plan } = seen;
  const hiding = hidingList(placed, plan);
  if (hiding !== undefined) return fail(hiding);
  const stale = isTerminal(status) || status === 'running' ? undefined : staleRunOf(seen, []);
  const behind = countBehindJournal(env, placed.root, opened);
  const madeBy = ledger.run?.pawl;
  const inDoubt = status === 'running' ? [] : callsInDoubt(plan);
  const paused = pausedStops(plan);
  const units = unitRows(ledger, plan, status === 'running');
  return ok({
    heading: headingOf(placed, opened),
    phases: phaseNames(placed.loaded.pipeline),
    units,
    extent: extentOf(placed.loaded.pipeline, plan),
    counts: countStatuses(units),
    ...(madeBy !== undefined && { madeBy }),
    ...(stale !== undefined && { stale }),
    ...(behind !== undefined && { behind }),
    holder: holderOf(env, opened),
    refusals: plan.refusals,
    ...(plan.limits.length > 0 && !plan.finished && { limits: plan.limits }),
    ...retryTime(plan),
    ...(paused.length > 0 && { paused }),
    ...(inDoubt.length > 0 && { inDoubt }),
    ...stuckAt(plan),
    notices: [...(pages.value?.notices ?? []), ...plan.notices],
    findings: [...findings, ...listFindings(placed)],
  });
}

function stuckAt({ units, finished }: Plan): Pick<StatusAnswer, 'stuck'> {
  if (finished) return {};
  const stuck: Stop[] = [];
  for (const { cells } of units.values())
    for (const { unit, phase, decision } of cells) {
      if (decision.do === 'run' || decision.do === 'restore' || decision.do === 'claimed') return {};
      if (decision.do === 'stop') stuck.push({ unit, phase, why: decision.why });
    }
  return stuck.length > 0 ? { stuck } : {};
}

function countStatuses(units: StatusAnswer['units']): Record<CellStatus, number> {
  const counts = noCells();
  for (const { cells } of units) for (const { status } of cells) counts[status] += 1;
  return counts;
}
