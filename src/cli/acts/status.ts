import { ok } from '../../base/result.ts';
import { type Act, targetOf } from '../act.ts';

export const act: Act = async (call) => {
  const { showStatus } = await import('../../engine/show/status.ts');
  const { systemEnvironment } = await import('../../engine/environment.ts');
  const answer = await showStatus(systemEnvironment(), targetOf(call));
  return answer.ok ? ok({ command: 'status', answer: answer.value }) : answer;
};
