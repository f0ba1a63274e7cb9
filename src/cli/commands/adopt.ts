import { targetOf, textOption } from '../call.ts';
import { type Command, environmentOf, present } from '../command.ts';
import { reasonOption, runOption } from '../options.ts';

export const adoptCommand: Command = {
  name: 'adopt',
  group: 'decide',
  summary: 'take an edit by hand as the result',
  details: ['What depends on it runs again with the next run.'],
  arguments: [{ name: '<targets...>', summary: 'paths of edited outputs, or cells' }],
  options: [runOption, reasonOption],
  async perform(call, face) {
    const { adoptFiles } = await import('../../engine/people/adopt.ts');
    const answer = await adoptFiles(await environmentOf(face), {
      ...targetOf(call),
      targets: call.arguments,
      reason: textOption(call, 'reason') ?? '',
    });
    return present('adopt', answer, {
      loadText: async () => (await import('../../text/acts.ts')).adoptText,
    });
  },
};
