import { fail } from '../../base/result.ts';
import { targetOf, textOption } from '../call.ts';
import { type Command, environmentOf, present } from '../command.ts';
import { confirm } from '../confirm.ts';
import { pathArgument, reasonOption, runOption, yesOption } from '../options.ts';

export const cancelCommand: Command = {
  name: 'cancel',
  group: 'decide',
  summary: 'end a run for good; the next one starts fresh',
  details: ['Its files, logs and notes stay where they are.'],
  arguments: [pathArgument],
  options: [runOption, reasonOption, yesOption],
  async perform(call, face) {
    const reason = textOption(call, 'reason');
    if (reason === undefined || reason === '')
      return fail({ reason: 'missing-value', command: call.command, option: '--reason' });
    const { cancelQuestion } = await import('../../text/help/questions.ts');
    const confirmed = await confirm(call, face, cancelQuestion);
    if (!confirmed.ok) return confirmed;
    const { cancelRun } = await import('../../engine/people/cancel.ts');
    return present('cancel', await cancelRun(await environmentOf(face), { ...targetOf(call), reason }), {
      loadText: async () => (await import('../../text/checkpoints.ts')).cancelText,
    });
  },
};
