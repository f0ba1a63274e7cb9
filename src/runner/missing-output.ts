import { findStep } from '../ledger/ledger.ts';
import { runsProgram } from '../model/executor.ts';
import type { AttemptFailure } from '../model/failure.ts';
import { expandPattern } from '../pipeline/pattern.ts';
import type { Attempt } from './attempt.ts';
import { attemptFolder, type RunContext } from './context.ts';
import { environmentName } from './executors/environment.ts';
import { isForeign } from './outputs.ts';

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
