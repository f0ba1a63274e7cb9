import { ok } from '../../base/result.ts';
import { type Act, targetOf } from '../act.ts';

export const act: Act = async (call, face) => {
  const { showHistory } = await import('../../engine/show/history.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const answer = await showHistory(systemEnvironment(face.place), {
    ...targetOf(call),
    unit: call.arguments[0],
  });
  return answer.ok ? ok({ command: 'history', answer: answer.value }) : answer;
};
