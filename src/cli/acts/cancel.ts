import { fail, ok } from '../../base/result.ts';
import { type Act, targetOf } from '../act.ts';
import { textOption } from '../call.ts';
import { confirm } from '../confirm.ts';

/** Ends a run for good. */
export const act: Act = async (call, face) => {
  const reason = textOption(call, 'reason');
  if (reason === undefined || reason === '')
    return fail({ reason: 'missing-value', command: call.command, option: '--reason' });
  const { cancelQuestion } = await import('../../text/help/questions.ts');
  const confirmed = await confirm(call, face, cancelQuestion);
  if (!confirmed.ok) return confirmed;
  const { cancelRun } = await import('../../engine/people/cancel.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const answer = await cancelRun(systemEnvironment(face.place), { ...targetOf(call), reason });
  return answer.ok ? ok({ command: 'cancel', answer: answer.value }) : answer;
};
