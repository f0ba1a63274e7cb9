import { flagOption, targetOf } from '../call.ts';
import { type Command, environmentOf, present } from '../command.ts';
import { confirm } from '../confirm.ts';
import { pathArgument, runOption, takeoverOption, yesOption } from '../options.ts';

export const resetCommand: Command = {
  name: 'reset',
  group: 'care',
  summary: 'archive what there is, so that the next run starts fresh',
  details: [
    'Every run of the identity that could be come back to, or the one of --run, moves to .pawl/archive with the',
    'files that it made. Every copy is proven before anything is removed. What another run has put in its place',
    'stays, and so does what is edited meanwhile. A reset that was cut short is finished by the next.',
  ],
  arguments: [pathArgument],
  options: [runOption, takeoverOption, yesOption],
  async perform(call, face) {
    const { lookAtReset, resetRuns } = await import('../../engine/maintain/reset.ts');
    const env = await environmentOf(face);
    const target = targetOf(call);
    let only: readonly string[] | undefined;
    if (!flagOption(call, 'yes')) {
      const runs = await lookAtReset(env, target);
      if (!runs.ok) return runs;
      const { resetQuestion } = await import('../../text/help/questions.ts');
      const confirmed = await confirm(call, face, resetQuestion(runs.value));
      if (!confirmed.ok) return confirmed;
      // Only the runs that the question named, because another may have started since.
      only = runs.value.map(({ run }) => run);
    }
    const answer = await resetRuns(env, { ...target, only, takeover: flagOption(call, 'takeover') });
    return present('reset', answer, {
      loadText: async () => (await import('../../text/acts.ts')).resetText,
    });
  },
};
