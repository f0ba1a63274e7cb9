import type { PreState } from '../model/event.ts';
import type { StepSet } from '../model/names.ts';
import { newestState } from '../planner/run.ts';
import type { ReadyStep } from './attempts/attempt.ts';
import type { AttemptOutcome } from './attempts/run-attempt.ts';
import { retryAfter, type Tries } from './attempts/waits.ts';
import type { RunContext } from './context.ts';
import { restoreOutputs } from './promotion.ts';
import { askPeople, unasked } from './questions.ts';
import { recordedProgress } from './recorded-progress.ts';
import type { Schedule, Starts } from './schedule.ts';

/** The files that people read, as the runner keeps them up to date. Trouble with them never ends a run. */
export interface FilesForPeople {
  unitBegun(unit: string): void;
  unitChanged(unit: string, isFinished: boolean): void;
  /** Shows the newest committed state at the state's own path. */
  stateChanged(state: PreState | undefined, observe: RunContext['observe']): Promise<void>;
}

/** What the workers of an invocation share. */
export interface Invocation {
  readonly run: RunContext;
  readonly schedule: Schedule;
  readonly files: FilesForPeople;
  readonly starts: Starts;
  readonly counts: {
    succeeded: number;
    reused: number;
    failed: number;
    readonly steps: StepSet;
    readonly left: StepSet;
  };
  readonly tries: Tries;
  /** Units whose files are being put back. */
  readonly restoring: Set<string>;
}

/** What follows an attempt: plan its unit again, restore files, ask people, update projections. */
export async function afterAttempt(
  invocation: Invocation,
  step: ReadyStep,
  outcome: AttemptOutcome,
  /** The step may be started again in this invocation. */
  again: boolean,
): Promise<void> {
  const { run, schedule, files, starts } = invocation;
  const { unit, phase } = step;
  const done = new Set<string>();
  if (schedule.ended(unit.id, phase.name, { again })) done.add(unit.id);
  // Another unit may have come back to files that lie under those of a later round, or are gone.
  for (let units = schedule.takeRestores(); units.length > 0; units = schedule.takeRestores())
    for (const one of units) if (await restoreUnit(invocation, one)) done.add(one);
  const plan = schedule.plans.get(unit.id);
  starts.planned(plan);
  const isIn = (unit: string, phase: string) => schedule.scope?.isIn(unit, phase) ?? true;
  const questions = plan === undefined ? [] : unasked(plan).filter((one) => isIn(one.unit, one.phase));
  if (questions.length > 0) {
    await askPeople(run, questions);
    schedule.replan(unit.id);
  }
  files.unitChanged(unit.id, done.has(unit.id) || questions.length > 0);
  done.delete(unit.id);
  for (const other of done) files.unitChanged(other, true);
  if (phase.state === 'write' && outcome.kind === 'succeeded')
    await files.stateChanged(newestState(schedule.context, schedule.plans), run.observe);
  for (const finished of [...(schedule.plans.get(unit.id)?.finished ? [unit.id] : []), ...done])
    run.observe({ type: 'unit-finished', unit: finished });
}

/** Counts an attempt that ended. After how long its step may be started again in this invocation; undefined: not at all. */
export function countAttempt(
  invocation: Invocation,
  step: ReadyStep,
  outcome: AttemptOutcome,
): number | undefined {
  const { run, starts, counts, tries } = invocation;
  if (outcome.kind === 'failed') {
    counts.failed += 1;
    const retryInMs = retryAfter(run, step, outcome.failure, tries);
    if (retryInMs === undefined) counts.left.add(step.unit.id, step.phase.name);
    starts.ended(step, outcome, retryInMs !== undefined);
    observeFailure(run, outcome, retryInMs);
    return retryInMs;
  }
  if (outcome.kind === 'succeeded') {
    counts.succeeded += 1;
    if (outcome.reused) counts.reused += 1;
    counts.steps.add(step.unit.id, step.phase.name);
    counts.left.delete(step.unit.id, step.phase.name);
  }
  const again = outcome.kind !== 'interrupted';
  starts.ended(step, outcome, again);
  return again ? 0 : undefined;
}

/** When it is tried again is decided by this process and no event says it, because it would not hold after a crash. */
function observeFailure(
  run: RunContext,
  { recorded }: AttemptOutcome & { kind: 'failed' },
  retryInMs: number | undefined,
): void {
  for (const progress of recorded.flatMap(recordedProgress))
    run.observe(progress.type === 'attempt-failed' ? { ...progress, retryInMs } : progress);
}

/**
 * A loop may have come back to a round whose files lie under those of another one. Two phases of a unit may end at
 * once: the second leaves it to the first, for both would stage the same files.
 */
async function restoreUnit({ run, schedule, restoring }: Invocation, unit: string): Promise<boolean> {
  if (restoring.has(unit)) return false;
  restoring.add(unit);
  try {
    let finished = false;
    for (;;) {
      const plan = schedule.plans.get(unit);
      if (plan === undefined || !(await restoreOutputs(run, [plan]))) return finished;
      finished = schedule.replan(unit) || finished;
    }
  } finally {
    restoring.delete(unit);
  }
}
