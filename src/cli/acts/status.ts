import { ok } from '../../base/result.ts';
import { type Act, targetOf } from '../act.ts';
import { selectionOf } from '../selection.ts';

export const act: Act = async (call) => {
  const selection = selectionOf(call);
  if (!selection.ok) return selection;
  const { showStatus } = await import('../../engine/show/status.ts');
  const { systemEnvironment } = await import('../../engine/environment.ts');
  const answer = await showStatus(systemEnvironment(), { ...targetOf(call), ...selection.value });
  return answer.ok ? ok({ command: 'status', answer: answer.value }) : answer;
};
