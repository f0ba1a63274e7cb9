import { fail, ok } from '../../base/result.ts';
import { restoreQuestion } from '../../text/help/questions.ts';
import { type Act, targetOf } from '../act.ts';
import { flagOption, textOption } from '../call.ts';
import { confirm } from '../confirm.ts';

export const act: Act = async (call, face) => {
  const [step] = call.arguments;
  if (step === undefined)
    return fail({ reason: 'missing-argument', command: call.command, argument: '<cell>' });
  const text = textOption(call, 'attempt');
  if (text === undefined)
    return fail({ reason: 'missing-argument', command: call.command, argument: '--attempt' });
  const attempt = Number(text);
  if (!Number.isSafeInteger(attempt) || attempt < 1)
    return fail({
      reason: 'bad-value',
      option: '--attempt',
      found: text,
      expected: 'a number from 1 on',
    });
  const { restoreAttempt } = await import('../../engine/people/undo/restore.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const env = systemEnvironment(face.place);
  const request = { ...targetOf(call), cell: step, attempt, reason: textOption(call, 'reason') };
  const dryRun = flagOption(call, 'dryRun');
  if (!dryRun && !flagOption(call, 'yes')) {
    const shown = await restoreAttempt(env, { ...request, dryRun: true });
    if (!shown.ok) return shown;
    if (face.canAsk) {
      const { previewLines } = await import('../../text/undo.ts');
      face.err(previewLines(shown.value, face.errStyle).join('\n'));
    }
    const confirmed = await confirm(call, face, restoreQuestion(step, attempt));
    if (!confirmed.ok) return confirmed;
  }
  const answer = await restoreAttempt(env, { ...request, dryRun });
  return answer.ok ? ok({ command: 'restore', answer: answer.value }) : answer;
};
