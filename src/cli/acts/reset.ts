import { ok } from '../../base/result.ts';
import { resetQuestion } from '../../text/help/questions.ts';
import { type Act, targetOf } from '../act.ts';
import { flagOption } from '../call.ts';
import { confirm } from '../confirm.ts';

export const act: Act = async (call, face) => {
  const { lookAtReset, resetRuns } = await import('../../engine/maintain/reset.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const env = systemEnvironment(face.place);
  const target = targetOf(call);
  let only: readonly string[] | undefined;
  if (!flagOption(call, 'yes')) {
    const runs = await lookAtReset(env, target);
    if (!runs.ok) return runs;
    const confirmed = await confirm(call, face, resetQuestion(runs.value));
    if (!confirmed.ok) return confirmed;
    // The runs that were asked about, and no other that may have started since.
    only = runs.value.map(({ run }) => run);
  }
  const answer = await resetRuns(env, { ...target, only, takeover: flagOption(call, 'takeover') });
  return answer.ok ? ok({ command: 'reset', answer: answer.value }) : answer;
};
