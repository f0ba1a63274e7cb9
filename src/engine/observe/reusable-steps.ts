import type { Phase, Unit } from '../../model/definition.ts';
import type { Cost } from '../../model/event.ts';
import { asksModel } from '../../model/executor.ts';
import type { EarlierResultIndex } from '../../planner/earlier-results.ts';
import type { StepPlan } from '../../planner/plan.ts';
import { answersFolder, findAnswer } from '../../runner/attempts/answer-index.ts';
import { findEarlier, wantsAnother } from '../../runner/attempts/attempt.ts';
import type { RunView } from '../../runner/context.ts';
import type { RunPlan } from './plan-from-disk.ts';
import { previewCall } from './see-call.ts';

/** So many prompts are put together to see whether their call was answered before. */
const promptsMax = 200;

/**
 * Steps of a plan that would take the result of another run, or the answer to a call that was made before. What waits for
 * other steps is not known yet.
 */
export async function reusableSteps(
  { workspace, ledger, store, plan }: RunPlan,
  folder: string,
  earlier: EarlierResultIndex | undefined,
  noReuse: boolean | undefined,
): Promise<ReusableStep[]> {
  const { env, root, loaded } = workspace;
  const hasAnswers = !noReuse && env.disk.stat(`${root}/${answersFolder}`) !== undefined;
  if (earlier === undefined && !hasAnswers) return [];
  const run: RunView = { disk: env.disk, process: env.process, root, folder, loaded, ledger, store };
  const steps: ReusableStep[] = [];
  let left = hasAnswers ? promptsMax : 0;
  for (const { units, phases } of loaded.pipeline.stages)
    for (const phase of phases)
      for (const unit of units) {
        const step = plan.units.get(unit.id)?.cells.find((one) => one.phase === phase.name);
        if (step?.decision.do !== 'run') continue;
        const asks = asksModel(phase);
        if (asks && left <= 0) continue;
        if (asks) left -= 1;
        const found = asks
          ? await answeredBefore(run, unit, phase, step)
          : madeBefore(run, earlier, unit, phase, step);
        if (found !== undefined) steps.push({ unit: unit.id, phase: phase.name, ...found });
      }
  return steps;
}

type From = Pick<ReusableStep, 'from' | 'saved'>;

function madeBefore(
  run: RunView,
  earlier: EarlierResultIndex | undefined,
  unit: Unit,
  phase: Phase,
  { iteration: round, decision }: StepPlan,
): From | undefined {
  if (decision.do !== 'run') return undefined;
  const { made } = decision;
  const found = findEarlier({ ...run, earlier }, { unit, phase, round: round, made });
  return found && { from: found.source, ...(found.saved && { saved: found.saved }) };
}

async function answeredBefore(
  run: RunView,
  unit: Unit,
  phase: Phase,
  step: StepPlan,
): Promise<From | undefined> {
  const { iteration: round } = step;
  if (!asksModel(phase) || phase.executor.reuse !== 'content') return undefined;
  if (wantsAnother(run, { unit, phase, round: round })) return undefined;
  const seen = await previewCall(run, { unit, phase }, step);
  const known = seen.ok && seen.value.call !== undefined && findAnswer(run, seen.value.call.resultKey);
  return known ? { from: known.source, saved: known.cost } : undefined;
}

export interface ReusableStep {
  readonly unit: string;
  readonly phase: string;
  /** `RUN UNIT/PHASE#ATTEMPT`. */
  readonly from: string;
  /** What that had cost. */
  readonly saved?: Cost;
}
