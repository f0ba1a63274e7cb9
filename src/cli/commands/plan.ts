import type { Result } from '../../base/result.ts';
import type { PlanAnswer } from '../../engine/show/plan.ts';
import { allAsk } from '../../model/reason.ts';
import { exitCodes } from '../../text/catalogue/exit-codes.ts';
import type { Trouble } from '../../text/catalogue/failures.ts';
import { targetOf } from '../call.ts';
import { type Command, environmentOf, type Outcome, present } from '../command.ts';
import { pathArgument, planOptions } from '../options.ts';
import { overridesOf, reuseOf, selectionOf, typedOptions } from '../selection.ts';

export const planCommand: Command = {
  name: 'plan',
  group: 'look',
  summary: 'show what run would do, and why; changes nothing',
  arguments: [pathArgument],
  options: planOptions,
  async perform(call, face) {
    const selection = selectionOf(call);
    if (!selection.ok) return selection;
    const { planPipeline } = await import('../../engine/show/plan.ts');
    const answer = await planPipeline(await environmentOf(face), {
      ...targetOf(call),
      ...overridesOf(call),
      ...reuseOf(call),
      ...selection.value,
    });
    return presentPlan(answer, typedOptions(call));
  },
};

/** Presents a plan; `options` are those that `run` needs to do what the plan shows. */
export function presentPlan(answer: Result<PlanAnswer, Trouble>, options: readonly string[]): Outcome {
  return present('plan', answer, {
    loadText: async () => {
      const { planText } = await import('../../text/plan.ts');
      return (plan, style) => planText(plan, style, options);
    },
    loadFacts: async () => (await import('../../text/json.ts')).planFacts,
    exitCode: ({ plan: { refusals } }) =>
      refusals.length === 0
        ? exitCodes.done
        : allAsk(refusals)
          ? exitCodes.waitsForPerson
          : exitCodes.refused,
  });
}
