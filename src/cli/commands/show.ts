import { targetOf } from '../call.ts';
import { type Command, environmentOf, present } from '../command.ts';
import { runOption } from '../options.ts';

export const showCommand: Command = {
  name: 'show',
  group: 'decide',
  summary: 'the files that a question is about, and how they differ from what was judged last',
  arguments: [{ name: '<checkpoint>', summary: 'C1, C2, … as pawl checkpoints lists them' }],
  options: [runOption],
  async perform(call, face) {
    const [id = ''] = call.arguments;
    const { showCheckpoint } = await import('../../engine/people/checkpoints/show.ts');
    return present('show', await showCheckpoint(await environmentOf(face), { ...targetOf(call), id }), {
      loadText: async () => (await import('../../text/checkpoints.ts')).showText,
    });
  },
};
