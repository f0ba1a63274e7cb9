import { flagOption, targetOf, textOption } from '../call.ts';
import { type Command, environmentOf, present } from '../command.ts';
import { confirm } from '../confirm.ts';
import { pathArgument, reasonOption, runOption, takeoverOption, yesOption } from '../options.ts';

export const repairCommand: Command = {
  name: 'repair',
  group: 'care',
  summary: 'accept the damage of a run, and record again what is still proven',
  details: [
    'Results that the snapshot or intact outputs still prove are recorded again. Damaged objects are put back from',
    'intact outputs. Nothing is deleted: unreadable files move to the folder damaged of the run.',
  ],
  arguments: [pathArgument],
  options: [runOption, reasonOption, takeoverOption, yesOption],
  async perform(call, face) {
    const reason = textOption(call, 'reason') ?? '';
    const { outlineRepair, repairRun } = await import('../../engine/maintain/repair.ts');
    const env = await environmentOf(face);
    if (reason !== '' && !flagOption(call, 'yes')) {
      const outline = await outlineRepair(env, targetOf(call));
      if (!outline.ok) return outline;
      const { repairQuestion } = await import('../../text/help/questions.ts');
      const confirmed = await confirm(call, face, repairQuestion(outline.value));
      if (!confirmed.ok) return confirmed;
    }
    const takeover = flagOption(call, 'takeover');
    return present('repair', await repairRun(env, { ...targetOf(call), reason, takeover }), {
      loadText: async () => (await import('../../text/acts.ts')).repairText,
    });
  },
};
