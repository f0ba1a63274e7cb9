import { ok } from '../../base/result.ts';
import { repairQuestion } from '../../report/help/questions.ts';
import { type Act, targetOf } from '../act.ts';
import { textOption } from '../call.ts';
import { confirm } from '../confirm.ts';

export const act: Act = async (call, face) => {
  const reason = textOption(call, 'reason') ?? '';
  const { repairRun } = await import('../../engine/mend/repair.ts');
  const { systemEnvironment } = await import('../../engine/environment.ts');
  if (reason !== '') {
    const confirmed = await confirm(call, face, repairQuestion);
    if (!confirmed.ok) return confirmed;
  }
  const answer = await repairRun(systemEnvironment(), { ...targetOf(call), reason });
  return answer.ok ? ok({ command: 'repair', answer: answer.value }) : answer;
};
