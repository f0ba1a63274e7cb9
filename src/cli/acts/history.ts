import { ok } from '../../base/result.ts';
import { type Act, targetOf } from '../act.ts';

export const act: Act = async (call, face) => {
  const { showHistory } = await import('../../engine/history/show.ts');
  const { systemEnvironment } = await import('../../engine/environment.ts');
  const answer = await showHistory(systemEnvironment(face.place), {
    ...targetOf(call),
    unit: call.arguments[0],
  });
  return answer.ok ? ok({ command: 'history', answer: answer.value }) : answer;
};
