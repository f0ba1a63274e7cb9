import { fail, ok } from '../../base/result.ts';
import { type Act, targetOf } from '../act.ts';
import { flagOption } from '../call.ts';

/** `checkpoints` and `show`. */
export const act: Act = async (call, face) => {
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const env = systemEnvironment(face.place);
  if (call.command === 'checkpoints') {
    const { listCheckpoints } = await import('../../engine/people/checkpoints/list.ts');
    const answer = await listCheckpoints(env, { ...targetOf(call), history: flagOption(call, 'history') });
    return answer.ok ? ok({ command: 'checkpoints', answer: answer.value }) : answer;
  }
  const id = call.arguments[0];
  if (id === undefined)
    return fail({ reason: 'missing-argument', command: call.command, argument: '<checkpoint>' });
  const { showCheckpoint } = await import('../../engine/people/checkpoints/show.ts');
  const answer = await showCheckpoint(env, { ...targetOf(call), id });
  return answer.ok ? ok({ command: 'show', answer: answer.value }) : answer;
};
