import { ok, type Result } from '../../base/result.ts';
import type { Failure } from '../../model/failure.ts';
import { stepName } from '../../model/names.ts';
import type { Refusal } from '../../model/reason.ts';
import { changeKey } from '../../model/refusal.ts';
import { formerResult } from '../../planner/plan.ts';
import type { PlannedCalls } from '../observe/planned-answer.ts';
import type { Environment } from '../open/environment.ts';
import type { PlanRequest } from '../open/requests.ts';
import type { PlanAnswer } from './plan.ts';
import { planPipeline } from './plan.ts';

/** What each answer to changes would do. */
export interface AnswerEffects {
  /** Undefined: these changes cannot be answered so. */
  readonly rerun: AnswerEffect | undefined;
  readonly keep: AnswerEffect | undefined;
}

export interface AnswerEffect {
  /** Steps with a result that would run again. */
  readonly again: readonly Step[];
  /** Steps with a result that would run again only if an input comes out with other bytes. */
  readonly maybe: readonly Step[];
  /** Steps without a result, which run whatever the answer is. */
  readonly first: readonly Step[];
  readonly calls?: PlannedCalls;
  /** How long it may take. */
  readonly ms?: number | undefined;
}

interface Step {
  readonly unit: string;
  readonly phase: string;
}

export interface AnswerEffectsRequest extends PlanRequest {
  readonly changes: readonly Refusal[];
}

/** What would run if these changes were answered with re-run, and with keep. Nothing is changed. */
export async function answerEffects(
  env: Environment,
  { changes, ...request }: AnswerEffectsRequest,
): Promise<Result<AnswerEffects, Failure>> {
  const now = await planPipeline(env, request);
  if (!now.ok) return now;
  const hasResult = stepsWithResult(now.value);
  const answering = { changes: new Set(changes.map(changeKey)), reason: '' };
  const effectOf = async (answer: Pick<PlanRequest, 'rerunChanged' | 'keepChanged'>) => {
    const planned = await planPipeline(env, { ...request, ...answer, answering });
    const isAnswer = planned.ok && planned.value.plan.refusals.length === 0;
    return isAnswer ? effectIn(planned.value, hasResult) : undefined;
  };
  return ok({
    rerun: await effectOf({ rerunChanged: true, keepChanged: false }),
    keep: await effectOf({ keepChanged: true, rerunChanged: false }),
  });
}

function effectIn({ plan, calls, ms }: PlanAnswer, hasResult: ReadonlySet<string>): AnswerEffect {
  const again: Step[] = [];
  const maybe: Step[] = [];
  const first: Step[] = [];
  for (const { cells: steps } of plan.units.values())
    for (const { unit, phase, decision } of steps) {
      if (decision.do !== 'run' && decision.do !== 'wait') continue;
      const isOpen = decision.do === 'wait' && decision.had !== undefined;
      const steps = isOpen ? maybe : hasResult.has(stepName(unit, phase)) ? again : first;
      steps.push({ unit, phase });
    }
  return { again, maybe, first, ...(calls && { calls }), ms };
}

function stepsWithResult({ plan }: PlanAnswer): Set<string> {
  const steps = new Set<string>();
  for (const { cells } of plan.units.values())
    for (const { unit, phase, decision } of cells)
      if (formerResult(decision) !== undefined) steps.add(stepName(unit, phase));
  return steps;
}
