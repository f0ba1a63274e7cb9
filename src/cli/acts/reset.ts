import { ok } from '../../base/result.ts';
import { resetQuestion } from '../../report/help/questions.ts';
import { type Act, targetOf } from '../act.ts';
import { flagOption } from '../call.ts';
import { confirm } from '../confirm.ts';

export const act: Act = async (call, face) => {
  const { resetRuns } = await import('../../engine/mend/reset.ts');
  const { showStatus } = await import('../../engine/show/status.ts');
  const { systemEnvironment } = await import('../../engine/environment.ts');
  const env = systemEnvironment();
  let target = targetOf(call);
  if (!flagOption(call, 'yes')) {
    const status = await showStatus(env, target);
    if (!status.ok) return status;
    const { heading } = status.value;
    const confirmed = await confirm(call, face, resetQuestion(heading));
    if (!confirmed.ok) return confirmed;
    // The run that was asked about, and no other that may have started since.
    target = { ...target, run: heading.run };
  }
  const answer = await resetRuns(env, target);
  return answer.ok ? ok({ command: 'reset', answer: answer.value }) : answer;
};
