import { ok } from '../../base/result.ts';
import { type Act, targetOf } from '../act.ts';

export const act: Act = async (call, face) => {
  const { listRuns } = await import('../../engine/show/runs.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const answer = await listRuns(systemEnvironment(face.place), targetOf(call));
  return answer.ok ? ok({ command: 'runs', answer: answer.value }) : answer;
};
