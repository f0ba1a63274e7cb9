import type { WhyAnswer, WhyManyAnswer } from '../../engine/show/why.ts';
import { targetOf } from '../call.ts';
import { type Command, environmentOf, present } from '../command.ts';
import { runOption, selecting, stepOrSelection } from '../options.ts';
import { readSteps } from '../selection.ts';

export const whyCommand: Command = {
  name: 'why',
  group: 'look',
  summary: 'say why a phase would run, or why it need not',
  arguments: [stepOrSelection],
  options: [runOption, ...selecting],
  examples: [
    { line: 'pawl why ch001_sc002/write', summary: 'with every part that its result was made from' },
    { line: 'pawl why --failed', summary: 'every step that failed' },
  ],
  async perform(call, face) {
    const steps = readSteps(call);
    if (!steps.ok) return steps;
    const { whyStep, whySteps } = await import('../../engine/show/why.ts');
    const target = targetOf(call);
    const env = await environmentOf(face);
    const answer =
      steps.value.kind === 'one'
        ? await whyStep(env, { ...target, cell: steps.value.step })
        : await whySteps(env, { ...target, ...steps.value.selection });
    return present<WhyAnswer | WhyManyAnswer>('why', answer, {
      loadText: async () => (await import('../../text/why.ts')).whyText,
    });
  },
};
