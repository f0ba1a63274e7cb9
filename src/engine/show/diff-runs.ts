import { ok, type Result } from '../../base/result.ts';
import { currentResult, type Ledger, type Step } from '../../ledger/ledger.ts';
import { madeOf } from '../../ledger/results.ts';
import type { Failure } from '../../model/failure.ts';
import { type StepName, stepName } from '../../model/names.ts';
import { refHash } from '../../planner/compare.ts';
import type { Environment } from '../open/environment.ts';
import type { RunHeading } from '../open/find-run.ts';
import { createRunHeading, needRun } from '../open/find-run.ts';
import type { Target } from '../open/requests.ts';
import { openWorkspace } from '../open/workspace.ts';
import { staticParts } from './diff-attempts.ts';
import { type ComparedPart, compareParts, type PartDifference } from './part-difference.ts';

export interface DiffRunsRequest extends Omit<Target, 'run'> {
  /** Two ids, or their beginnings. */
  readonly runs: readonly [string, string];
}

/** Which steps of two runs differ. */
export interface DiffRunsAnswer {
  readonly runs: readonly [RunHeading, RunHeading];
  readonly steps: readonly StepDifference[];
  /** Steps with the same parts and outputs in both. */
  readonly same: number;
}

export interface StepDifference {
  readonly unit: string;
  readonly phase: string;
  /** Only this run has a result of it. */
  readonly only?: 'first' | 'second';
  readonly differences: readonly PartDifference[];
}

/** Compares the results that count in two runs, step by step, by their hashes. Changes nothing. */
export async function diffRuns(
  env: Environment,
  { runs: [first, second], ...target }: DiffRunsRequest,
): Promise<Result<DiffRunsAnswer, Failure>> {
  const workspace = await openWorkspace(env, target);
  if (!workspace.ok) return workspace;
  const before = needRun(workspace.value, { ...target, run: first });
  if (!before.ok) return before;
  const after = needRun(workspace.value, { ...target, run: second });
  if (!after.ok) return after;
  const was = resultsOf(before.value.ledger);
  const is = resultsOf(after.value.ledger);
  const steps: StepDifference[] = [];
  let same = 0;
  for (const name of new Set([...was.keys(), ...is.keys()])) {
    const [a, b] = [was.get(name), is.get(name)];
    const { unit = '', phase = '' } = a ?? b ?? {};
    const { differences } = compareParts(a?.parts ?? [], b?.parts ?? []);
    if (a === undefined || b === undefined)
      steps.push({ unit, phase, only: a === undefined ? 'second' : 'first', differences: [] });
    else if (differences.length > 0) steps.push({ unit, phase, differences });
    else same += 1;
  }
  const runs = [
    createRunHeading(workspace.value, before.value),
    createRunHeading(workspace.value, after.value),
  ] as const;
  return ok({ runs, steps, same });
}

interface StepParts {
  readonly unit: string;
  readonly phase: string;
  readonly parts: readonly ComparedPart[];
}

function resultsOf(ledger: Ledger): Map<StepName, StepParts> {
  const results = new Map<StepName, StepParts>();
  for (const step of ledger.steps.values()) {
    const parts = partsOf(ledger, step);
    if (parts !== undefined)
      results.set(stepName(step.unit, step.phase), { unit: step.unit, phase: step.phase, parts });
  }
  return results;
}

function partsOf(ledger: Ledger, step: Step): ComparedPart[] | undefined {
  const result = currentResult(step);
  if (result === undefined) return undefined;
  const { revision, unitData, unitFile, inputs = {}, preState } = madeOf(result);
  const statics = ledger.revisions.get(revision)?.phases[step.phase];
  return [
    ...Object.entries(result.outputs).map(([name, { path, hash, size }]) => ({
      name: `output ${name}`,
      path,
      hash,
      size,
    })),
    ...Object.entries(inputs).flatMap(([name, ref]) => {
      const hash = refHash(ref);
      return hash === undefined ? [] : [{ name: `input ${name}`, hash }];
    }),
    ...(unitData === undefined ? [] : [{ name: 'fields', hash: unitData }]),
    ...(unitFile === undefined ? [] : [{ name: 'unit file', ...unitFile }]),
    ...(preState === undefined ? [] : [{ name: 'state', hash: preState.hash }]),
    ...(statics === undefined ? [] : staticParts(statics)),
  ];
}
