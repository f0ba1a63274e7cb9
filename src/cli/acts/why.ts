import { ok } from '../../base/result.ts';
import { type Act, targetOf } from '../act.ts';
import { readSteps } from '../selection.ts';

export const act: Act = async (call, face) => {
  const steps = readSteps(call);
  if (!steps.ok) return steps;
  const { whyStep, whySteps } = await import('../../engine/show/why.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const target = targetOf(call);
  const answer =
    steps.value.kind === 'one'
      ? await whyStep(systemEnvironment(face.place), { ...target, cell: steps.value.step })
      : await whySteps(systemEnvironment(face.place), { ...target, ...steps.value.selection });
  return answer.ok ? ok({ command: 'why', answer: answer.value }) : answer;
};
