import { ok } from '../../base/result.ts';
import { type Act, targetOf } from '../act.ts';
import { flagOption } from '../call.ts';

export const act: Act = async (call, face) => {
  const { showPrompt } = await import('../../engine/show/prompt.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const request = { ...targetOf(call), cell: call.arguments[0] ?? '', diff: flagOption(call, 'diff') };
  const answer = await showPrompt(systemEnvironment(face.place), request);
  return answer.ok ? ok({ command: 'prompt', answer: answer.value }) : answer;
};
