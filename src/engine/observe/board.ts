import { join } from 'node:path';
import { byCodeUnit } from '../../base/json.ts';
import { currentResult, findStep, type Ledger, standingFailure } from '../../ledger/ledger.ts';
import type { Pipeline } from '../../model/definition.ts';
import { type StepSet, stepName } from '../../model/names.ts';
import { asksOf } from '../../model/reason.ts';
import { changeName } from '../../model/refusal.ts';
import type { StepStatus } from '../../model/status.ts';
import { largestStage } from '../../pipeline/layout.ts';
import { outdatedBy, type Plan, type StepPlan } from '../../planner/plan.ts';
import { outdatedSteps } from '../../planner/unit-scope.ts';
import type { RunHeading } from '../open/find-run.ts';
import type { Workspace } from '../open/workspace.ts';

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

/** The folders that outputs are put into, as far as that is the same for every unit; none that lies in another. */
export function outputFolders({ loaded, shownRoot }: Pick<Workspace, 'loaded' | 'shownRoot'>): string[] {
  const phases = loaded.pipeline.stages.flatMap((stage) => stage.phases);
  const folders = new Set(phases.flatMap(({ outputs }) => outputs.map(({ path }) => fixedFolder(path))));
  const isWithin = (folder: string, other: string) => folder !== other && folder.startsWith(other);
  return [...folders]
    .filter((folder) => ![...folders].some((other) => isWithin(folder, other)))
    .map((folder) => join(shownRoot, folder))
    .sort(byCodeUnit);
}

/** `cards/` of `cards/{unit}.md`; `./` of a file that lies beside the manifest. */
function fixedFolder(path: string): string {
  const [fixed = ''] = path.split('{', 1);
  return fixed.slice(0, fixed.lastIndexOf('/') + 1) || './';
}

export function unitRows(ledger: Ledger, plan: Plan, held: boolean): readonly UnitRow[] {
  const outdated = outdatedSteps(plan);
  return Array.from(plan.units.values(), ({ unit, cells: steps }) => ({
    unit,
    cells: steps.map((step) => {
      const name = stepName(unit, step.phase);
      const parts = outdated.kept.get(name);
      const known = findStep(ledger, unit, step.phase);
      const result = known && currentResult(known);
      return {
        phase: step.phase,
        status: stepStatus(ledger, step, held),
        iteration: step.iteration,
        attempts: known?.attempts ?? 0,
        verdict: result?.verdict,
        ...(result?.passed !== undefined && { passed: result.passed, score: result.score }),
        ...(result?.reused !== undefined && { reused: result.reused }),
        ...(parts !== undefined && { outdated: parts.flatMap(changeName) }),
        ...(outdated.byInput.has(name) && { inputOutdated: true as const }),
      };
    }),
  }));
}

/** A cell's status follows from what the plan would do with it. */
export function stepStatus(ledger: Ledger, { unit, phase, decision }: StepPlan, held: boolean): StepStatus {
  const step = findStep(ledger, unit, phase);
  if (decision.do === 'claimed') return 'running';
  if (step?.running !== undefined) {
    if (held && step.running.claim === undefined) return 'running';
    // What was cut off may need an answer before it is started again.
    return decision.do === 'stop' && asksOf(decision.why) !== undefined ? 'waiting_human' : 'interrupted';
  }
  switch (decision.do) {
    case 'reuse':
    case 'restore':
      return outdatedBy(decision).length === 0 ? 'succeeded' : 'outdated';
    case 'skip':
      return 'skipped';
    case 'wait':
      return 'pending';
    case 'run':
      // Also where something else than the failure makes it run again: it is not as good as new.
      return step === undefined || standingFailure(step) === undefined ? 'ready' : 'failed';
    case 'refuse':
      return 'blocked';
    case 'stop':
      if (decision.why.code === 'blocked' || decision.why.code === 'paused') return decision.why.code;
      return asksOf(decision.why) === undefined ? 'failed' : 'waiting_human';
  }
}

export function countSteps(plan: Plan, ranNow?: StepSet): StepCounts {
  let steps = 0;
  let done = 0;
  let reused = 0;
  let skipped = 0;
  let outdated = 0;
  let unitsFinished = 0;
  for (const unit of plan.units.values()) {
    if (unit.finished) unitsFinished += 1;
    for (const { phase, decision } of unit.cells) {
      steps += 1;
      if (decision.do === 'reuse' || decision.do === 'restore') {
        done += 1;
        if (ranNow?.has(unit.unit, phase) !== true) reused += 1;
        if (outdatedBy(decision).length > 0) outdated += 1;
      }
      if (decision.do === 'skip') skipped += 1;
    }
  }
  const counts = { units: plan.units.size, unitsFinished, cells: steps, done, reused, skipped };
  return outdated === 0 ? counts : { ...counts, outdated };
}

export interface StepCounts {
  readonly units: number;
  readonly unitsFinished: number;
  readonly cells: number;
  /** Succeeded and proven now. */
  readonly done: number;
  /** Of these, not run in this sitting. */
  readonly reused: number;
  readonly skipped: number;
  /** Done, and kept although what they were made from changed; absent: none is. */
  readonly outdated?: number;
}

/** How far a run is, in the words of its own layout: about the stage with the most units. */
export interface Extent {
  /** What people call a unit, and a finished one. */
  readonly unitKey: string;
  readonly doneKey: string;
  readonly units: readonly {
    readonly unit: string;
    readonly index: number | undefined;
    readonly finished: boolean;
    /** It failed, and the manifest lets the run go on without it. */
    readonly givenUp?: boolean;
  }[];
}

export interface Board {
  readonly heading: RunHeading;
  /** `watched`: another process works on the run. */
  readonly kind: 'new' | 'resumed' | 'watched';
  readonly phases: readonly string[];
  readonly units: readonly UnitRow[];
  readonly extent: Extent;
}

/** A unit with the status of each of its steps. */
export interface UnitRow {
  readonly unit: string;
  readonly cells: readonly {
    readonly phase: string;
    readonly status: StepStatus;
    readonly iteration: number;
    readonly attempts: number;
    readonly verdict: string | undefined;
    /** Of a phase with a gate: what it made of the newest result. */
    readonly passed?: boolean | undefined;
    readonly score?: number | undefined;
    /** The changes that it is outdated by, by name; absent: it is not outdated. */
    readonly outdated?: readonly string[];
    /** It consumed a result that is outdated. */
    readonly inputOutdated?: true;
    /** `RUN UNIT/PHASE#ATTEMPT`: its result, or its model's answer, was taken from there. */
    readonly reused?: string;
  }[];
}
