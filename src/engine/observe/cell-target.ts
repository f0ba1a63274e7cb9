import { fail, ok, type Result } from '../../base/result.ts';
import type { Phase, Stage, Unit } from '../../model/definition.ts';
import type { Failure } from '../../model/failure.ts';
import { parseStepName } from '../../model/names.ts';
import { nearest } from '../../pipeline/text/problems.ts';
import type { Workspace } from '../open/workspace.ts';

export interface StepTarget {
  readonly stage: Stage;
  readonly unit: Unit;
  readonly phase: Phase;
}

/** The cell that a person typed, or the ones it may have been meant to be. */
export function findStepTarget({ loaded }: Workspace, name: string): Result<StepTarget, Failure> {
  const parsed = parseStepName(name);
  for (const stage of loaded.pipeline.stages) {
    const unit = stage.units.find(({ id }) => id === parsed?.unit);
    const phase = stage.phases.find((candidate) => candidate.name === parsed?.phase);
    if (unit !== undefined && phase !== undefined) return ok({ stage, unit, phase });
  }
  const near = stepsOf(loaded.pipeline.stages, name);
  if (near.length === 0) near.push(...nearest(name, stepsLike(loaded.pipeline.stages, parsed?.unit)));
  return fail({ reason: 'usage', problem: { code: 'unknown-cell', name, near } });
}

/** Of a unit, or of a phase in the first units: whoever names only one of both is shown the other. */
function stepsOf(stages: readonly Stage[], name: string): string[] {
  return stages.flatMap(({ units, phases }) => {
    if (units.some(({ id }) => id === name)) return phases.map((phase) => `${name}/${phase.name}`);
    const isPhase = phases.some((phase) => phase.name === name);
    return isPhase ? units.slice(0, unitsShownMax).map(({ id }) => `${id}/${name}`) : [];
  });
}

const unitsShownMax = 3;
const comparedMax = 5_000;

/** Comparing with every cell of a large pipeline would take longer than the person is willing to wait. */
function stepsLike(stages: readonly Stage[], unit: string | undefined): string[] {
  const names: string[] = [];
  for (const stage of stages) {
    const units = stage.units.some(({ id }) => id === unit)
      ? stage.units.filter(({ id }) => id === unit)
      : stage.units;
    for (const { id } of units)
      for (const phase of stage.phases) if (names.length < comparedMax) names.push(`${id}/${phase.name}`);
  }
  return names;
}
