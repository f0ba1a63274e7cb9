import { ok } from '../../base/result.ts';
import { type Act, targetOf } from '../act.ts';

export const act: Act = async (call) => {
  const { showDiff } = await import('../../engine/show/diff.ts');
  const { systemEnvironment } = await import('../../engine/environment.ts');
  const answer = await showDiff(systemEnvironment(), { ...targetOf(call), cell: call.arguments[0] });
  return answer.ok ? ok({ command: 'diff', answer: answer.value }) : answer;
};
