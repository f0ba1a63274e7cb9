import { currentResult } from '../../ledger/ledger.ts';
import type { Environment } from '../open/environment.ts';
import { openRun } from '../open/open-run.ts';

/** A step whose recorded output lies at a path. */
export interface FinishedStep {
  readonly unit: string;
  readonly phase: string;
}

/**
 * The finished step that has made the file at this path, relative to the workspace. None while the step is under way
 * again, because then its output is meant to be written. Looks at the journal alone: nothing is started or loaded.
 */
export function finishedStepAt(
  env: Environment,
  root: string,
  run: { readonly id: string; readonly folder: string },
  path: string,
): FinishedStep | undefined {
  const { ledger } = openRun(env, root, run, { whole: false });
  for (const [, step] of ledger.steps) {
    const outputs = step.running === undefined ? currentResult(step)?.outputs : undefined;
    if (Object.values(outputs ?? {}).some((output) => output.path === path))
      return { unit: step.unit, phase: step.phase };
  }
  return undefined;
}
