import type { Clock } from '../../base/clock.ts';
import { isGroupSignal, type ProcessEnd } from '../../disk/group-signal.ts';
import { findStep } from '../../ledger/ledger.ts';
import { runsProgram } from '../../model/executor.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import { expandPattern } from '../../pipeline/pattern.ts';
import { attemptFolder, type RunContext } from '../context.ts';
import type { Revision } from '../executors/assignment.ts';
import { environmentName } from '../executors/environment.ts';
import { isForeign } from '../promotion.ts';
import type { Attempt, ReadyStep } from './attempt.ts';

interface Stopping {
  readonly clock: Clock;
  /** Fires: this invocation is asked to stop. */
  readonly stop: AbortSignal;
}

/**
 * True: the signal that ended the attempt stops this invocation too, so the attempt has not failed. Ctrl-C and
 * service managers signal more processes than Pawl: a command before it leads its own group, a child of a function.
 */
export async function isCutOff(
  run: Stopping,
  { facts: { signal, exitCode } = {} }: AttemptFailure,
): Promise<boolean> {
  const end: ProcessEnd = {
    code: typeof exitCode === 'number' ? exitCode : null,
    signal: typeof signal === 'string' ? (signal as NodeJS.Signals) : null,
  };
  return isGroupSignal(end) && (await isStoppedToo(run));
}

/** A child's end may be seen before the signal that this process got too, so pending signals are dispatched first. */
async function isStoppedToo(run: Stopping): Promise<boolean> {
  // Two turns, because the first may be the rest of the one in which the end was seen.
  for (let turns = 0; turns < 2 && !run.stop.aborted; turns++) await nextTurn();
  // A service manager signals one process after the other.
  if (!run.stop.aborted) await run.clock.sleep(signalsApartMsMax, run.stop);
  return run.stop.aborted;
}

const signalsApartMsMax = 100;

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/**
 * Where a command had to write the output that it did not make: the place, the variable that names it, and whether the
 * command wrote to the declared path instead, as most do at first.
 */
export function locateMissing(run: RunContext, attempt: Attempt, failure: AttemptFailure): AttemptFailure {
  const { unit, phase, number } = attempt;
  if (failure.reason !== 'output-missing' || !runsProgram(phase)) return failure;
  const spec = phase.outputs.find(({ name }) => name === failure.facts?.output);
  if (spec === undefined) return failure;
  const declared = expandPattern(spec.path, unit, number);
  const last = findStep(run.ledger, unit.id, phase.name);
  const isThere = isForeign(run, declared, last?.placed?.[spec.name], last?.former ?? []);
  return {
    ...failure,
    facts: {
      output: spec.name,
      path: `${attemptFolder(run, unit.id, phase.name, number)}/outputs/${spec.name}`,
      variable: `PAWL_OUTPUT_${environmentName(spec.name)}`,
      declared,
      ...(isThere && { found: declared }),
    },
  };
}

/** How often one phase may ask for another: two that disagree must not go round for ever. */
const revisionsMax = 3;
const reasonLengthMax = 4_000;

/** The end of an attempt that asks for a revision: granted where the manifest says that the phase may. */
export function revisionFailure(
  run: Pick<RunContext, 'ledger'>,
  { unit, phase }: Pick<ReadyStep, 'unit' | 'phase'>,
  { phase: to, reason }: Revision,
): AttemptFailure {
  const message = reason.slice(0, reasonLengthMax);
  if (!phase.revises.includes(to))
    return { reason: 'revision-refused', message, facts: { to, valid: phase.revises.join(', ') } };
  const asked = findStep(run.ledger, unit.id, to)?.feedback ?? [];
  const times = asked.filter(({ kind, by }) => kind === 'revision' && by === phase.name).length;
  if (times >= revisionsMax) return { reason: 'revision-refused', message, facts: { to, times } };
  return { reason: 'revision-requested', message, facts: { to } };
}
