import { ok } from '../../base/result.ts';
import type { Act } from '../act.ts';

export const act: Act = async (call, face) => {
  const { initWorkspace } = await import('../../engine/examples/init.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const [example, folder] = call.arguments;
  const answer = initWorkspace(systemEnvironment(face.place), { example, folder });
  return answer.ok ? ok({ command: 'init', answer: answer.value }) : answer;
};
