import type { Result } from '../../base/result.ts';
import type { PromptAnswer } from '../../engine/show/call-answers.ts';
import { exitCodes } from '../../text/catalogue/exit-codes.ts';
import type { Trouble } from '../../text/catalogue/failures.ts';
import { flagOption, targetOf } from '../call.ts';
import { type Command, environmentOf, type Outcome, present } from '../command.ts';
import { runOption, stepArgument } from '../options.ts';

export const promptCommand: Command = {
  name: 'prompt',
  group: 'look',
  summary: 'show the prompt of a phase as it would be sent now',
  arguments: [stepArgument],
  options: [runOption, { flags: '--diff', summary: 'only how it differs from the one that was sent last' }],
  examples: [{ line: 'pawl prompt ch001_sc002/write --diff', summary: 'what a changed template does' }],
  async perform(call, face) {
    const { showPrompt } = await import('../../engine/show/prompt.ts');
    const request = { ...targetOf(call), cell: call.arguments[0] ?? '', diff: flagOption(call, 'diff') };
    return presentPrompt(await showPrompt(await environmentOf(face), request));
  },
};

export function presentPrompt(answer: Result<PromptAnswer, Trouble>): Outcome {
  return present('prompt', answer, {
    loadText: async () => (await import('../../text/prompt.ts')).promptText,
    loadFacts: async () => (await import('../../text/json.ts')).promptFacts,
    exitCode: ({ unavailable }) => (unavailable === undefined ? exitCodes.done : exitCodes.refused),
  });
}
