import { currentResult, findCell, type Ledger } from '../../ledger/ledger.ts';
import type { Pipeline } from '../../model/definition.ts';
import { type CellName, cellName } from '../../model/names.ts';
import { asksOf } from '../../model/reason.ts';
import type { CellStatus } from '../../model/status.ts';
import { largestStage } from '../../pipeline/layout.ts';
import type { CellPlan, Plan } from '../../planner/plan.ts';
import type { CellCounts, Extent, RunHeading, StatusAnswer } from '../answers.ts';
import type { Board } from '../requests.ts';

/** Units by phases with the status of each cell: what people look at. */
export function boardOf(
  heading: RunHeading,
  kind: Board['kind'],
  pipeline: Pipeline,
  ledger: Ledger,
  plan: Plan,
): Board {
  return {
    heading,
    kind,
    phases: phaseNames(pipeline),
    units: unitRows(ledger, plan, heading.status === 'running'),
    extent: extentOf(pipeline, plan),
  };
}

/** How far the stage with the most units is. */
export function extentOf({ stages, layout }: Pipeline, plan: Plan): Extent {
  const { units } = largestStage(stages);
  return {
    unitKey: layout.unitKey,
    doneKey: layout.doneKey,
    units: units.map(({ id, index }) => {
      const { finished = false, ended = false } = plan.units.get(id) ?? {};
      return { unit: id, index, finished, ...(ended && !finished && { givenUp: true }) };
    }),
  };
}

export function phaseNames(pipeline: Pipeline): string[] {
  return pipeline.stages.flatMap((stage) => stage.phases.map(({ name }) => name));
}

export function unitRows(ledger: Ledger, plan: Plan, held: boolean): StatusAnswer['units'] {
  return Array.from(plan.units.values(), ({ unit, cells }) => ({
    unit,
    cells: cells.map((cell) => {
      const known = findCell(ledger, unit, cell.phase);
      const result = known && currentResult(known);
      return {
        phase: cell.phase,
        status: statusOf(ledger, cell, held),
        iteration: cell.iteration,
        attempts: known?.attempts ?? 0,
        verdict: result?.verdict,
        ...(result?.passed !== undefined && { passed: result.passed, score: result.score }),
      };
    }),
  }));
}

/** A cell's status follows from what the plan would do with it. */
export function statusOf(ledger: Ledger, { unit, phase, decision }: CellPlan, held: boolean): CellStatus {
  const cell = findCell(ledger, unit, phase);
  if (decision.do === 'claimed') return 'running';
  if (cell?.running !== undefined)
    return held && cell.running.claim === undefined ? 'running' : 'interrupted';
  switch (decision.do) {
    case 'reuse':
    case 'restore':
      return 'succeeded';
    case 'skip':
      return 'skipped';
    case 'wait':
      return 'pending';
    case 'run':
      // Also where something else than the failure makes it run again: it is not as good as new.
      return cell?.failure === undefined ? 'ready' : 'failed';
    case 'refuse':
      return 'blocked';
    case 'stop':
      if (decision.why.code === 'blocked' || decision.why.code === 'paused') return decision.why.code;
      return asksOf(decision.why) === undefined ? 'failed' : 'waiting_human';
  }
}

export function countCells(plan: Plan, ranNow: ReadonlySet<CellName> = none): CellCounts {
  let cells = 0;
  let done = 0;
  let reused = 0;
  let skipped = 0;
  let unitsFinished = 0;
  for (const unit of plan.units.values()) {
    if (unit.finished) unitsFinished += 1;
    for (const { phase, decision } of unit.cells) {
      cells += 1;
      if (decision.do === 'reuse' || decision.do === 'restore') {
        done += 1;
        if (ranNow.size === 0 || !ranNow.has(cellName(unit.unit, phase))) reused += 1;
      }
      if (decision.do === 'skip') skipped += 1;
    }
  }
  return { units: plan.units.size, unitsFinished, cells, done, reused, skipped };
}

const none: ReadonlySet<CellName> = new Set();
