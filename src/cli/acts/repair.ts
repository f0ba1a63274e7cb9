import { ok } from '../../base/result.ts';
import { repairQuestion } from '../../text/help/questions.ts';
import { type Act, targetOf } from '../act.ts';
import { flagOption, textOption } from '../call.ts';
import { confirm } from '../confirm.ts';

export const act: Act = async (call, face) => {
  const reason = textOption(call, 'reason') ?? '';
  const { outlineRepair, repairRun } = await import('../../engine/maintain/repair.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const env = systemEnvironment(face.place);
  if (reason !== '' && !flagOption(call, 'yes')) {
    const outline = await outlineRepair(env, targetOf(call));
    if (!outline.ok) return outline;
    const confirmed = await confirm(call, face, repairQuestion(outline.value));
    if (!confirmed.ok) return confirmed;
  }
  const takeover = flagOption(call, 'takeover');
  const answer = await repairRun(env, { ...targetOf(call), reason, takeover });
  return answer.ok ? ok({ command: 'repair', answer: answer.value }) : answer;
};
