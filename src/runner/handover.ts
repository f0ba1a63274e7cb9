import { findStep } from '../ledger/ledger.ts';
import type { Feedback } from '../ledger/questions.ts';
import type { ReadyStep } from './attempt.ts';
import { attemptFolder, inWorkspace, type RunView } from './context.ts';

/** What whoever does a phase again is handed of the attempts before. */
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
 * Feedback is always handed over. What earlier attempts have made is, where the manifest says that the phase goes on with it:
 * nobody who gets it is told to start anew.
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
