import { findStep } from '../../ledger/ledger.ts';
import type { Feedback } from '../../ledger/questions.ts';
import type { Phase, Unit } from '../../model/definition.ts';
import type { Cost } from '../../model/event.ts';
import type { RunReason } from '../../model/reason.ts';
import type { RenderedPrompt } from '../../pipeline/loaded.ts';
import type { EarlierResult } from '../../planner/earlier-results.ts';
import type { MadeFrom } from '../../planner/plan.ts';
import { attemptFolder, inWorkspace, type RunContext, type RunView } from '../context.ts';
import type { PreparedCall } from '../executors/assignment.ts';
import type { TaskInputs } from '../executors/input-file.ts';

/** One step that the plan says to run. */
export interface ReadyStep {
  readonly unit: Unit;
  readonly phase: Phase;
  readonly round: number;
  readonly why: RunReason;
  readonly made: MadeFrom;
}

/** An attempt with everything that it needs, before it costs anything. */
export interface Attempt extends ReadyStep {
  readonly number: number;
  readonly taken: TaskInputs;
  readonly prompt: RenderedPrompt | undefined;
  /** What a model will be asked. */
  readonly call?: PreparedCall | undefined;
}

/** Where a result was taken from instead of running its step. */
export interface Reused {
  /** `RUN UNIT/PHASE#ATTEMPT`. */
  readonly reused: string;
  /** What that had cost. */
  readonly saved?: Cost;
}

/** What an attempt gets from earlier attempts at its step. */
export interface Handover {
  readonly mode: 'fresh' | 'continue';
  /** The folder of an attempt that was cut off, relative to the workspace. */
  readonly previous: string | undefined;
  /** Outputs of earlier attempts that are still there, by name; relative to the workspace. */
  readonly existing: Readonly<Record<string, string>>;
  /** What was said of earlier results, in the order of saying. */
  readonly feedback: readonly Feedback[];
}

type Work = Pick<ReadyStep, 'unit' | 'phase' | 'why'>;

/**
 * Feedback is always handed over. Earlier outputs are handed over only where the manifest lets the phase continue with them,
 * and then the mode is never `fresh`.
 */
export function handover(run: RunView, work: Work): Handover {
  const { unit, phase, why } = work;
  const feedback = findStep(run.ledger, unit.id, phase.name)?.feedback ?? none;
  const cutOff =
    (why.code === 'interrupted' || why.code === 'released') && phase.onInterrupt === 'continue'
      ? attemptFolder(run, unit.id, phase.name, why.attempt)
      : undefined;
  const existing = phase.again === 'continue' ? existingOutputs(run, work) : nothing;
  if (cutOff === undefined && existing === nothing && feedback === none) return freshStart;
  const mode = cutOff === undefined && existing === nothing ? 'fresh' : 'continue';
  return { mode, previous: cutOff, existing, feedback };
}

const none: readonly Feedback[] = [];
const nothing: Handover['existing'] = {};

/** What nearly every attempt is handed: nothing is made for it. */
const freshStart: Handover = {
  mode: 'fresh',
  previous: undefined,
  existing: nothing,
  feedback: none,
};

/** The newest that lie at their paths; a person's own file there is as good as one of ours. */
function existingOutputs(run: RunView, { unit, phase }: Work): Handover['existing'] {
  const placed = findStep(run.ledger, unit.id, phase.name)?.placed;
  if (placed === undefined) return nothing;
  const existing: Record<string, string> = {};
  for (const [name, { path }] of Object.entries(placed))
    if (run.disk.stat(inWorkspace(run, path))?.kind === 'file') existing[name] = path;
  return Object.keys(existing).length === 0 ? nothing : existing;
}

/**
 * True: a result of the step was sent back, failed, or is to be made again on request, so an earlier result of the same
 * inputs must not be reused.
 */
export function wantsAnother(
  run: Pick<RunContext, 'ledger'>,
  { unit, phase, round }: Pick<ReadyStep, 'unit' | 'phase' | 'round'>,
): boolean {
  const step = findStep(run.ledger, unit.id, phase.name);
  if (round > 1 || step?.failure !== undefined) return true;
  return step?.superseded?.because === 'rerun-requested' || (step?.feedback?.length ?? 0) > 0;
}

/** A result of another run that this attempt may take, as far as its parts tell. */
export function findEarlier(
  run: Pick<RunContext, 'earlier' | 'ledger' | 'loaded'>,
  step: Pick<ReadyStep, 'unit' | 'phase' | 'round' | 'made'>,
): EarlierResult | undefined {
  if (run.earlier === undefined || wantsAnother(run, step)) return undefined;
  return run.earlier.find(run.loaded, { unit: step.unit.id, phase: step.phase.name, made: step.made });
}
