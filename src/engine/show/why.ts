import type { Hash } from '../../base/hash.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { FailedAttempt } from '../../ledger/ledger.ts';
import {
  currentResult,
  findStep,
  type Ledger,
  type MadeOf,
  type StepResult,
  standingFailure,
} from '../../ledger/ledger.ts';
import { madeOf } from '../../ledger/results.ts';
import type { Phase } from '../../model/definition.ts';
import { roleOf } from '../../model/executor.ts';
import type { Failure } from '../../model/failure.ts';
import type { RejectedImport } from '../../model/failure-details.ts';
import { parseStepName, stepName } from '../../model/names.ts';
import type { OutdatedPart, Refusal, RunReason, SkipReason, StopReason } from '../../model/reason.ts';
import type { StepStatus } from '../../model/status.ts';
import type { LoadedPipeline } from '../../pipeline/loaded.ts';
import { refHash } from '../../planner/compare.ts';
import { planContext } from '../../planner/context.ts';
import { unitParts } from '../../planner/fixed-parts.ts';
import type { Decision, StepPlan } from '../../planner/plan.ts';
import { surroundings } from '../../planner/run.ts';
import { outdatedSteps } from '../../planner/unit-scope.ts';
import { stepStatus } from '../observe/board.ts';
import { findStepTarget, type StepTarget } from '../observe/cell-target.ts';
import type { StoryEntry } from '../observe/history-entry.ts';
import { type ObservedUnits, planAfterDefaults } from '../observe/plan-from-disk.ts';
import { planUnitsAfterDefaults } from '../observe/plan-units.ts';
import { namedUnits, selectSteps } from '../observe/select.ts';
import type { Environment } from '../open/environment.ts';
import type { RunHeading } from '../open/find-run.ts';
import { createRunHeading, findRun } from '../open/find-run.ts';
import type { OpenedRun } from '../open/open-run.ts';
import type { SelectionRequest, Target } from '../open/requests.ts';
import { findHidingListFailure, resolvePipelineForRun } from '../open/resolve-pipeline.ts';
import { rejectedImports } from '../open/take-over.ts';
import { openWorkspace, type Workspace } from '../open/workspace.ts';
import { judgePages } from '../status-import/judge.ts';
import { storyOf } from './story.ts';

/** Why a cell is as it is: what `run` would do with it, and every part of what its result was made from. */
export async function whyStep(
  env: Environment,
  request: Target & { readonly cell: string },
): Promise<Result<WhyAnswer, Failure>> {
  const { unit: asked = '' } = parseStepName(request.cell) ?? {};
  const ahead = await seeAhead(env, request, () => new Set([asked]));
  if (!ahead.ok) return ahead;
  const target = findStepTarget(ahead.value.seen.workspace, request.cell);
  if (!target.ok) return target;
  const { opened, isHeld } = ahead.value;
  const { unit, phase } = target.value;
  const rejected = await rejectedOf(ahead.value, target.value);
  if (rejected.length > 0) return fail({ reason: 'import-check-failed', artifacts: rejected });
  const story = opened && storyOf(ahead.value.seen.workspace, opened, stepName(unit.id, phase.name), isHeld);
  return ok({ ...whyOf(ahead.value, target.value), ...(story !== undefined && { story }) });
}

/** The same of every selected step. */
export async function whySteps(
  env: Environment,
  request: Target & SelectionRequest,
): Promise<Result<WhyManyAnswer, Failure>> {
  const ahead = await seeAhead(env, request, (placed, opened) => namedUnits(placed, opened, request));
  if (!ahead.ok) return ahead;
  const { seen, opened } = ahead.value;
  const chosen = selectSteps(seen, request);
  if (!chosen.ok) return chosen;
  const steps = seen.workspace.loaded.pipeline.stages.flatMap((stage) =>
    stage.units.flatMap((unit) =>
      stage.phases
        .filter(({ name }) => chosen.value?.isSelected(unit.id, name) ?? true)
        .map((phase) => whyOf(ahead.value, { stage, unit, phase })),
    ),
  );
  return ok({ heading: opened && createRunHeading(seen.workspace, opened), steps });
}

interface Ahead {
  readonly seen: ObservedUnits;
  readonly opened: OpenedRun | undefined;
  readonly isHeld: boolean;
}

/** `askedIn`: the units that the question is about; undefined: all. */
async function seeAhead(
  env: Environment,
  request: Target,
  askedIn: (placed: Workspace, opened: OpenedRun | undefined) => ReadonlySet<string> | undefined,
): Promise<Result<Ahead, Failure>> {
  const workspace = await openWorkspace(env, request);
  if (!workspace.ok) return workspace;
  const found = findRun(workspace.value, request);
  if (!found.ok) return found;
  const placed = await resolvePipelineForRun(workspace.value, found.value);
  const pages = await judgePages(placed, found.value);
  if (!pages.ok) return pages;
  const opened = pages.value?.opened ?? found.value;
  const isHeld = found.value?.status === 'running';
  if (placed.listTrouble?.hides !== true)
    return ok({
      seen: await planUnitsAfterDefaults(placed, opened, askedIn(placed, opened)),
      opened,
      isHeld,
    });
  const seen = await planAfterDefaults(placed, opened);
  const hiding = findHidingListFailure(placed, seen.plan);
  return hiding === undefined ? ok({ seen, opened, isHeld }) : fail(hiding);
}

/** Another tool's log is past the step, and a file of it fails its check: no attempt is started before a person chooses. */
async function rejectedOf({ seen, opened }: Ahead, { unit, phase }: StepTarget): Promise<RejectedImport[]> {
  if (opened?.isToldOnly !== true) return [];
  const rejected = await rejectedImports(seen.workspace, opened.ledger);
  return rejected.filter((one) => one.unit === unit.id && one.phase === phase.name);
}

function whyOf({ seen, opened, isHeld }: Ahead, target: StepTarget): WhyAnswer {
  const { unit, phase } = target;
  const planned = seen.plan.units.get(unit.id)?.cells.find((step) => step.phase === phase.name);
  if (planned === undefined) throw new Error(`no plan for ${unit.id}/${phase.name}`);
  const step = findStep(seen.ledger, unit.id, phase.name);
  const result = step && currentResult(step);
  return {
    heading: opened && createRunHeading(seen.workspace, opened),
    unit: unit.id,
    phase: phase.name,
    status: stepStatus(seen.ledger, planned, isHeld),
    iteration: planned.iteration,
    attempts: step?.attempts ?? 0,
    verdict: verdictOf(planned.decision, phase),
    ...(outdatedSteps(seen.plan).byInput.has(stepName(unit.id, phase.name)) && { inputOutdated: true }),
    parts: result === undefined ? [] : partsOf(seen, target, result, planned),
    failure: step && standingFailure(step),
    ...(result?.actor !== undefined && { actor: result.actor }),
    ...(result?.files !== undefined && {
      files: Object.entries(result.files).map(([path, { hash }]) => ({ path, hash })),
    }),
    outputs: result === undefined ? [] : outputsOf(seen, result, step?.promoted === result.attempt),
  };
}

function verdictOf(decision: Decision, phase: Phase): WhyAnswer['verdict'] {
  const role = roleOf(phase);
  switch (decision.do) {
    case 'run':
      return { do: 'run', why: decision.why, ...(role !== undefined && { role }) };
    case 'wait':
      return { do: 'wait', for: decision.for };
    case 'claimed':
      return { do: 'claimed', actor: decision.running.claim.actor, until: decision.running.claim.until };
    default:
      return decision;
  }
}

function partsOf(seen: ObservedUnits, target: StepTarget, result: StepResult, planned: StepPlan): Part[] {
  const { loaded } = seen.workspace;
  const made = madeOf(result);
  const parts = staticParts(seen.ledger, loaded, target.phase.name, made);
  parts.push(...unitPartsOf(loaded, target, made));
  const now = planned.decision.do === 'run' ? planned.decision.made.inputs : undefined;
  for (const [input, ref] of Object.entries(made.inputs ?? {})) {
    const recorded = refHash(ref);
    const standing = result.inputs?.[input] ?? ref;
    // A cell that stands has the inputs it was made from, or is kept for; one that waits does not know them yet.
    const current =
      now === undefined
        ? planned.decision.do === 'wait'
          ? undefined
          : refHash(standing)
        : now.get(input)?.output.hash;
    parts.push({
      ...part(`input ${input}`, ref.split(' ')[0], recorded, current),
      ...pendingOf(planned, target),
    });
  }
  if (made.preState !== undefined) {
    const { path, hash } = made.preState;
    const now = startStateOf(seen, target);
    parts.push({ ...part('state', path, hash, now), ...(now === undefined && pendingOf(planned, target)) });
  }
  return parts;
}

/** The fields of the unit, and its own file where the phase takes it. */
function unitPartsOf(loaded: LoadedPipeline, { unit, phase }: StepTarget, made: MadeOf): Part[] {
  const now = unitParts(loaded, unit.id, phase.name);
  const older = loaded.unitDataWithFile.get(unit.id);
  const isOneHash = made.unitFile === undefined && made.unitData !== now.unitData && older !== undefined;
  if (isOneHash && made.unitData !== older)
    return [part('unit and its file', unit.file?.path, made.unitData, older)];
  const was = isOneHash ? now : made;
  const fields =
    was.unitData === undefined && now.unitData === undefined
      ? []
      : [part('unit', undefined, was.unitData, now.unitData)];
  if (was.unitFile === undefined && now.unitFile === undefined) return fields;
  const path = now.unitFile?.path ?? was.unitFile?.path;
  return [...fields, part('file', path, was.unitFile?.hash, now.unitFile?.hash)];
}

function pendingOf({ decision, unit }: StepPlan, { stage }: StepTarget): Pick<Part, 'pending'> {
  if (decision.do !== 'wait') return {};
  const isPhase = (name: string) => stage.phases.some((phase) => phase.name === name);
  return { pending: decision.for.map((name) => (isPhase(name) ? stepName(unit, name) : name)) };
}

/** What the unit would start from now; undefined while the one before it has not committed. */
function startStateOf(
  { workspace, ledger, facts, plan }: ObservedUnits,
  { stage, unit }: StepTarget,
): Hash | undefined {
  const context = planContext(workspace.loaded, ledger, facts);
  const before = stage.units[stage.units.indexOf(unit) - 1];
  return surroundings(context, stage, unit, before, () => [], plan.units).startState?.hash;
}

function staticParts(ledger: Ledger, loaded: LoadedPipeline, phase: string, { revision }: MadeOf): Part[] {
  const before = ledger.revisions.get(revision)?.phases[phase];
  const now = loaded.statics.get(phase);
  const parts = [part('definition', undefined, before?.definition, now?.definition)];
  for (const kind of ['templates', 'files'] as const) {
    const names = new Set([...Object.keys(before?.[kind] ?? {}), ...(now?.[kind].keys() ?? [])]);
    for (const name of names) {
      const was = before?.[kind][name];
      const is = now?.[kind].get(name);
      parts.push(
        part(
          `${kind === 'templates' ? 'template' : 'file'} ${name}`,
          is?.path ?? was?.path,
          was?.hash,
          is?.hash,
        ),
      );
    }
  }
  return parts;
}

function part(
  name: string,
  path: string | undefined,
  recorded: string | undefined,
  now: string | undefined,
): Part {
  return { name, path, recorded, now, same: recorded === now };
}

function outputsOf({ facts }: ObservedUnits, result: StepResult, promoted: boolean): WhyAnswer['outputs'] {
  return Object.entries(result.outputs).map(([name, { path, hash }]) => {
    const output = { name, path, hash };
    if (!promoted) return { ...output, state: 'older-round' };
    const fact = facts.outputs.get(path);
    const writtenBy = fact?.kind === 'edited' ? fact.writtenBy : undefined;
    return { ...output, state: fact?.kind ?? 'intact', ...(writtenBy !== undefined && { writtenBy }) };
  });
}

/** The same of several steps. */
export interface WhyManyAnswer {
  readonly heading: RunHeading | undefined;
  /** In the order of units and phases. */
  readonly steps: readonly WhyAnswer[];
}

export interface WhyAnswer {
  readonly heading: RunHeading | undefined;
  readonly unit: string;
  readonly phase: string;
  readonly status: StepStatus;
  readonly iteration: number;
  readonly attempts: number;
  /** What `run` would do with it, and why. */
  readonly verdict:
    | {
        readonly do: 'reuse';
        readonly result: StepResult;
        /** What it was made from and is different now; absent: nothing is. */
        readonly outdated?: readonly OutdatedPart[];
      }
    | {
        readonly do: 'restore';
        readonly result: StepResult;
        readonly outputs: readonly string[];
        readonly outdated?: readonly OutdatedPart[];
      }
    | {
        readonly do: 'run';
        readonly why: RunReason;
        /** Who may claim it; absent: run starts it itself. */
        readonly role?: string;
      }
    | { readonly do: 'wait'; readonly for: readonly string[] }
    | { readonly do: 'claimed'; readonly actor: string; readonly until: string }
    | { readonly do: 'skip'; readonly why: SkipReason }
    | { readonly do: 'refuse'; readonly refusals: readonly Refusal[] }
    | { readonly do: 'stop'; readonly why: StopReason };
  /** It consumed a result that is outdated. */
  readonly inputOutdated?: true;
  /** Every attempt and every decision about the step, in the order in which they began; only where one step is asked about. */
  readonly story?: readonly StoryEntry[];
  /** Every part of what the newest result was made from, and whether it is still so. */
  readonly parts: readonly Part[];
  readonly failure: FailedAttempt | undefined;
  /** Who did it, when it was claimed from outside. */
  readonly actor?: string | undefined;
  /** Files of the workspace that it was completed with, as of then. */
  readonly files?: readonly { readonly path: string; readonly hash: string }[];
  readonly outputs: readonly {
    readonly name: string;
    readonly path: string;
    readonly hash: string;
    readonly state: 'intact' | 'missing' | 'unpromoted' | 'edited' | 'damaged' | 'older-round';
    /** The other run that wrote the bytes that are there now; only of `edited`. */
    readonly writtenBy?: string;
  }[];
}

export interface Part {
  /** `definition`, `template system`, `file outline`, `unit`, `input prose`, `state`. */
  readonly name: string;
  readonly path: string | undefined;
  readonly recorded: string | undefined;
  readonly now: string | undefined;
  readonly same: boolean;
  /** Not known before these steps or units are done. */
  readonly pending?: readonly string[];
}
