import { fail, ok } from '../../base/result.ts';
import { type Command, present } from '../command.ts';

export const completionCommand: Command = {
  name: 'completion',
  group: 'care',
  summary: 'print what makes a shell complete commands, options and names of units',
  details: ['The first lines of what is printed say how to install it.'],
  arguments: [{ name: '<shell>', summary: 'bash, zsh or fish' }],
  options: [],
  examples: [{ line: 'eval "$(pawl completion bash)"', summary: 'for this shell; in ~/.bashrc for all' }],
  async perform(call) {
    const [name = ''] = call.arguments;
    const { completionScripts, shells } = await import('../completion-scripts.ts');
    const shell = shells.find((known) => known === name);
    if (shell === undefined)
      return fail({ reason: 'bad-value', option: 'completion', found: name, expected: shells.join(', ') });
    return present('completion', ok({ shell, script: completionScripts[shell] }), {
      loadText:
        async () =>
        ({ script }) =>
          script,
      isAsIs: true,
    });
  },
};
