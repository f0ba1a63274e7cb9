import { fail } from '../../base/result.ts';
import { flagOption, targetOf, textOption } from '../call.ts';
import { type Command, environmentOf, present } from '../command.ts';
import { confirm, showPreview } from '../confirm.ts';
import { reasonOption, runOption, stepArgument, undoDryRunOption, yesOption } from '../options.ts';

export const restoreCommand: Command = {
  name: 'restore',
  group: 'decide',
  summary: 'make an earlier attempt the result of a step',
  details: ['What depends on the step runs again where the bytes differ. pawl undo takes it back.'],
  arguments: [stepArgument],
  options: [
    runOption,
    { flags: '--attempt <number>', summary: 'the attempt, as pawl logs and pawl why number it' },
    undoDryRunOption,
    reasonOption,
    yesOption,
  ],
  async perform(call, face) {
    const [step = ''] = call.arguments;
    const text = textOption(call, 'attempt');
    if (text === undefined)
      return fail({ reason: 'missing-argument', command: call.command, argument: '--attempt' });
    const attempt = Number(text);
    if (!Number.isSafeInteger(attempt) || attempt < 1)
      return fail({ reason: 'bad-value', option: '--attempt', found: text, expected: 'a number from 1 on' });
    const { restoreAttempt } = await import('../../engine/people/undo/restore.ts');
    const env = await environmentOf(face);
    const request = { ...targetOf(call), cell: step, attempt, reason: textOption(call, 'reason') };
    const dryRun = flagOption(call, 'dryRun');
    if (!dryRun && !flagOption(call, 'yes')) {
      const preview = await restoreAttempt(env, { ...request, dryRun: true });
      if (!preview.ok) return preview;
      await showPreview(face, preview.value);
      const { restoreQuestion } = await import('../../text/help/questions.ts');
      const confirmed = await confirm(call, face, restoreQuestion(step, attempt));
      if (!confirmed.ok) return confirmed;
    }
    return present('restore', await restoreAttempt(env, { ...request, dryRun }), {
      loadText: async () => (await import('../../text/undo.ts')).broughtBackText,
    });
  },
};
