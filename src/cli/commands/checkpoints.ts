import { flagOption, targetOf } from '../call.ts';
import { type Command, environmentOf, present } from '../command.ts';
import { pathArgument, runOption } from '../options.ts';

export const checkpointsCommand: Command = {
  name: 'checkpoints',
  group: 'decide',
  summary: 'what waits for a person, since when, and what it shows',
  arguments: [pathArgument],
  options: [
    runOption,
    { flags: '--history', summary: 'also questions that are answered; pawl history lists every decision' },
  ],
  async perform(call, face) {
    const { listCheckpoints } = await import('../../engine/people/checkpoints/list.ts');
    const request = { ...targetOf(call), history: flagOption(call, 'history') };
    return present('checkpoints', await listCheckpoints(await environmentOf(face), request), {
      loadText: async () => (await import('../../text/checkpoints.ts')).checkpointsText,
    });
  },
};
