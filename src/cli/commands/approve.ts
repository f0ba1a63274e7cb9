import type { Command } from '../command.ts';
import { checkpointArgument, continueOption, runOption } from '../options.ts';

export const approveCommand: Command = {
  name: 'approve',
  group: 'decide',
  summary: 'say yes to what was shown',
  details: [
    'The decision is bound to the bytes that were shown.',
    'It starts nothing by itself, and nothing before it runs again.',
    'It has to come from a terminal, unless the manifest lets programs answer (channels).',
  ],
  arguments: [checkpointArgument],
  options: [
    runOption,
    { flags: '--note <text>', summary: 'what you saw; recorded with the decision' },
    { flags: '--keep', summary: 'where a file has changed: keep what was made from it' },
    {
      flags: '--restart-from <phase>',
      summary: 'where a file has changed: do this phase and all later ones again',
    },
    continueOption,
  ],
  async perform(call, face) {
    const { performDecision } = await import('./perform-decision.ts');
    return await performDecision(call, face);
  },
};
