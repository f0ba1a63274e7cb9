import { type Command, environmentOf, present } from '../command.ts';

export const initCommand: Command = {
  name: 'init',
  group: 'work',
  summary: 'write an example pipeline that runs at once',
  details: ['Existing files are never overwritten.'],
  arguments: [
    { name: '[example]', summary: 'minimal (the default), book, sprites, agents or feature' },
    { name: '[folder]', summary: 'where to write it; default: this one' },
  ],
  options: [],
  examples: [
    { line: 'pawl init', summary: 'postcards from three towns, into this folder' },
    { line: 'pawl init sprites demo', summary: 'an animation drawn frame by frame, into a new folder' },
  ],
  async perform(call, face) {
    const { initWorkspace } = await import('../../engine/examples/init.ts');
    const [example, folder] = call.arguments;
    return present('init', initWorkspace(await environmentOf(face), { example, folder }), {
      loadText: async () => (await import('../../text/init.ts')).initText,
    });
  },
};
