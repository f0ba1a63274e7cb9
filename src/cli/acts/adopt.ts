import { ok } from '../../base/result.ts';
import { type Act, targetOf } from '../act.ts';
import { textOption } from '../call.ts';

export const act: Act = async (call, face) => {
  const { adoptFiles } = await import('../../engine/people/adopt.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const answer = await adoptFiles(systemEnvironment(face.place), {
    ...targetOf(call),
    targets: call.arguments,
    reason: textOption(call, 'reason') ?? '',
  });
  return answer.ok ? ok({ command: 'adopt', answer: answer.value }) : answer;
};
