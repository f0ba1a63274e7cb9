import { ok } from '../../base/result.ts';
import { type Act, overridesOf, reuseOf, targetOf, typedOptions } from '../act.ts';
import { selectionOf } from '../selection.ts';

export const act: Act = async (call, face) => {
  const selection = selectionOf(call);
  if (!selection.ok) return selection;
  const { planPipeline } = await import('../../engine/show/plan.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const answer = await planPipeline(systemEnvironment(face.place), {
    ...targetOf(call),
    ...overridesOf(call),
    ...reuseOf(call),
    ...selection.value,
  });
  return answer.ok ? ok({ command: 'plan', answer: answer.value, options: typedOptions(call) }) : answer;
};
