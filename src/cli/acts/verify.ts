import { ok } from '../../base/result.ts';
import { type Act, targetOf } from '../act.ts';
import { flagOption } from '../call.ts';

export const act: Act = async (call, face) => {
  const { verifyRun } = await import('../../engine/show/verify.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const [deep, quick, strict] = ['deep', 'quick', 'strict'].map((flag) => flagOption(call, flag));
  const answer = await verifyRun(systemEnvironment(face.place), { ...targetOf(call), deep, quick, strict });
  return answer.ok ? ok({ command: 'verify', answer: answer.value }) : answer;
};
