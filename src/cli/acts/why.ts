import { ok } from '../../base/result.ts';
import { type Act, targetOf } from '../act.ts';

export const act: Act = async (call) => {
  const { whyCell } = await import('../../engine/show/why.ts');
  const { systemEnvironment } = await import('../../engine/environment.ts');
  const answer = await whyCell(systemEnvironment(), { ...targetOf(call), cell: call.arguments[0] ?? '' });
  return answer.ok ? ok({ command: 'why', answer: answer.value }) : answer;
};
