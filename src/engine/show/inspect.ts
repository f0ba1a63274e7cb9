import { ok, type Result } from '../../base/result.ts';
import type { Failure, Finding } from '../../model/failure.ts';
import { isDone, type StepStatus } from '../../model/status.ts';
import { planContext } from '../../planner/context.ts';
import type { UnitPlan } from '../../planner/plan.ts';
import type { ChosenSteps } from '../../planner/rerun.ts';
import { stageShape, surroundings } from '../../planner/run.ts';
import { gatesOf } from '../../planner/unit.ts';
import { sumCosts } from '../observe/attempt-costs.ts';
import { eventsAbout, gatherAttempts } from '../observe/attempts.ts';
import { stepStatus } from '../observe/board.ts';
import { inspectGates, markOutdone } from '../observe/gates.ts';
import type { AttemptTotals, InspectedAttempt, InspectedUnit } from '../observe/inspected.ts';
import { type ObservedUnits, planRunFromDisk, type RunPlan } from '../observe/plan-from-disk.ts';
import { planUnitsFromDisk } from '../observe/plan-units.ts';
import { namedUnits, selectSteps } from '../observe/select.ts';
import type { Environment } from '../open/environment.ts';
import type { RunHeading } from '../open/find-run.ts';
import { createRunHeading, needRun } from '../open/find-run.ts';
import { type OpenedRun, shownFindings } from '../open/open-run.ts';
import type { SelectionRequest, Target } from '../open/requests.ts';
import { resolvePipelineForRun } from '../open/resolve-pipeline.ts';
import { openRunJournal } from '../open/run-files.ts';
import { openWorkspace, type Workspace } from '../open/workspace.ts';

export interface InspectRequest extends Target, SelectionRequest {}

/** Every attempt that a run ever made, by unit, with what came of it. Changes nothing. */
export async function inspectRun(
  env: Environment,
  request: InspectRequest,
): Promise<Result<InspectAnswer, Failure>> {
  const history = await readUnitHistory(env, request);
  if (!history.ok) return history;
  const { seen, opened, units: all } = history.value;
  const chosen = selectSteps(seen, request);
  if (!chosen.ok) return chosen;
  const units = narrowUnits(all, chosen.value);
  const { unitKey, doneKey } = seen.workspace.loaded.pipeline.layout;
  return ok({
    heading: createRunHeading(seen.workspace, opened),
    folder: opened.folder,
    unitKey,
    doneKey,
    isNarrowed: chosen.value !== undefined,
    totals: totalsOf(units),
    units,
    findings: shownFindings(opened),
  });
}

interface RunHistory<Seen> {
  readonly opened: OpenedRun;
  readonly seen: Seen;
  readonly units: readonly InspectedUnit[];
}

/** A run with everything that ever happened in it. */
export async function readRunAttempts(
  env: Environment,
  target: Target,
): Promise<Result<RunHistory<RunPlan>, Failure>> {
  return await historyWith(env, target, (placed, opened) =>
    planRunFromDisk(placed, opened, { deep: false, restore: false }),
  );
}

/** The same with only those of the listed units that the selection names. */
export async function readUnitHistory(
  env: Environment,
  request: Target & SelectionRequest,
): Promise<Result<RunHistory<ObservedUnits>, Failure>> {
  return await historyWith(env, request, (placed, opened) =>
    planUnitsFromDisk(placed, opened, namedUnits(placed, opened, request)),
  );
}

async function historyWith<Seen extends ObservedUnits>(
  env: Environment,
  target: Target,
  lookIn: (placed: Workspace, opened: OpenedRun) => Promise<Seen>,
): Promise<Result<RunHistory<Seen>, Failure>> {
  const workspace = await openWorkspace(env, target);
  if (!workspace.ok) return workspace;
  const opened = needRun(workspace.value, target);
  if (!opened.ok) return opened;
  const placed = await resolvePipelineForRun(workspace.value, opened.value);
  const seen = await lookIn(placed, opened.value);
  const journal = openRunJournal(env, placed.root, opened.value.folder);
  const isHeld = opened.value.status === 'running';
  const stages = placed.loaded.pipeline.stages;
  const listed = new Set(stages.flatMap(({ units }) => units.map(({ id }) => id)));
  const isMeant = (unit: string) => seen.plan.units.has(unit) || !listed.has(unit);
  const attempts = gatherAttempts(eventsAbout(journal.events(), isMeant), isHeld);
  return ok({ opened: opened.value, seen, units: unitsOf(seen, attempts, isHeld) });
}

/** The units of the pipeline that were looked at, in its order; then those that it does not list any more. */
function unitsOf(
  { workspace, ledger, facts, plan }: ObservedUnits,
  attempts: ReadonlyMap<string, readonly InspectedAttempt[]>,
  isHeld: boolean,
): InspectedUnit[] {
  const units: InspectedUnit[] = [];
  const context = planContext(workspace.loaded, ledger, facts);
  for (const stage of workspace.loaded.pipeline.stages) {
    const shape = stageShape(context, stage);
    for (const [at, unit] of stage.units.entries()) {
      const { id, index } = unit;
      const planned = plan.units.get(id);
      if (planned === undefined) continue;
      const steps = planned.cells.map((step) => ({
        phase: step.phase,
        status: stepStatus(ledger, step, isHeld),
      }));
      const status = statusOfUnit(planned, steps);
      const around = surroundings(context, stage, unit, stage.units[at - 1], () => [], plan.units);
      const histories = gatesOf(context, shape, unit, around);
      const ofUnit = markOutdone(histories, attempts.get(id) ?? []);
      const gates = inspectGates(histories, ofUnit);
      units.push({ ...historyOf(id, ofUnit), index, stage: stage.name, status, cells: steps, gates });
    }
  }
  for (const [id, ofUnit] of attempts) {
    if (plan.units.has(id)) continue;
    units.push({
      ...historyOf(id, ofUnit),
      index: undefined,
      stage: undefined,
      status: undefined,
      cells: [],
      gates: [],
    });
  }
  return units;
}

/** What a person has to know first: what needs somebody, then what moves, then what waits. */
const tellingOrder: readonly StepStatus[] = [
  'failed',
  'blocked',
  'waiting_human',
  'running',
  'interrupted',
  'paused',
  'ready',
  'pending',
];

function statusOfUnit(planned: UnitPlan, steps: InspectedUnit['cells']): StepStatus {
  const telling = tellingOrder.find((status) => steps.some((step) => step.status === status));
  if (!planned.finished) return telling ?? 'pending';
  return steps.some((step) => step.status === 'outdated') ? 'outdated' : 'succeeded';
}

function historyOf(
  unit: string,
  attempts: readonly InspectedAttempt[],
): Pick<InspectedUnit, 'unit' | 'attemptsMost' | 'verdict' | 'score' | 'bestScore' | 'attempts'> {
  const counts = new Map<string, number>();
  for (const { phase } of attempts) counts.set(phase, (counts.get(phase) ?? 0) + 1);
  const scores = attempts.flatMap(({ score }) => (score === undefined ? [] : [score]));
  const judged = attempts.findLast(
    ({ verdict, superseded }) => verdict !== undefined && superseded === undefined,
  );
  return {
    unit,
    attemptsMost: greatest(counts.values()) ?? 0,
    verdict: judged?.verdict,
    score: judged?.score,
    bestScore: greatest(scores),
    attempts,
  };
}

/** Not `Math.max` of all: a run may have more attempts than a call takes arguments. */
function greatest(numbers: Iterable<number>): number | undefined {
  let found: number | undefined;
  for (const number of numbers) if (found === undefined || number > found) found = number;
  return found;
}

export function totalsOf(units: readonly InspectedUnit[]): AttemptTotals {
  const attempts = units.flatMap((unit) => unit.attempts);
  return {
    units: units.length,
    unitsFinished: units.filter(({ status }) => status !== undefined && isDone(status)).length,
    attempts: attempts.length,
    failed: attempts.filter(({ outcome }) => outcome === 'failed').length,
    sentBack: attempts.filter(({ passed }) => passed === false).length,
    ms: attempts.reduce((sum, { ms }) => sum + (ms ?? 0), 0),
    cost: sumCosts(attempts),
  };
}

/** The selected units, each with what concerns its selected phases. */
export function narrowUnits(
  units: readonly InspectedUnit[],
  chosen: ChosenSteps | undefined,
): readonly InspectedUnit[] {
  if (chosen === undefined) return units;
  return units.flatMap((unit) => {
    const isMeant = ({ phase }: { readonly phase: string }) => chosen.isSelected(unit.unit, phase);
    const attempts = unit.attempts.filter(isMeant);
    const steps = unit.cells.filter(isMeant);
    if (attempts.length + steps.length === 0) return [];
    if (attempts.length === unit.attempts.length && steps.length === unit.cells.length) return [unit];
    return [{ ...unit, ...historyOf(unit.unit, attempts), cells: steps, gates: unit.gates.filter(isMeant) }];
  });
}

export interface InspectAnswer {
  readonly heading: RunHeading;
  /** The run's own folder, relative to the workspace. */
  readonly folder: string;
  /** What people call a unit, and a finished one. */
  readonly unitKey: string;
  readonly doneKey: string;
  /** Only some units were asked for. */
  readonly isNarrowed: boolean;
  /** Of the units that are listed. */
  readonly totals: AttemptTotals;
  readonly units: readonly InspectedUnit[];
  readonly findings: readonly Finding[];
}
