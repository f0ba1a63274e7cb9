import type { Command } from '../command.ts';
import { checkpointArgument, continueOption, runOption } from '../options.ts';

export const rejectCommand: Command = {
  name: 'reject',
  group: 'decide',
  summary: 'say no, and why: it is done again with the feedback, and asked about again',
  arguments: [checkpointArgument],
  options: [
    runOption,
    { flags: '--feedback <text>', summary: 'what has to be otherwise; handed to whoever does it again' },
    continueOption,
  ],
  async perform(call, face) {
    const { performDecision } = await import('./perform-decision.ts');
    return await performDecision(call, face);
  },
};
