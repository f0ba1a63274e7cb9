import { fail } from '../../base/result.ts';
import { targetOf } from '../call.ts';
import { type Command, environmentOf, present } from '../command.ts';
import { runOption } from '../options.ts';

export const summaryCommand: Command = {
  name: 'summary',
  group: 'tasks',
  summary: 'leave one line about what an agent has done',
  arguments: [
    { name: '<agent>', summary: 'its name: executor-1' },
    { name: '<text>', summary: 'DONE. 403 files modified.' },
  ],
  options: [runOption],
  async perform(call, face) {
    const [agent = '', summary = ''] = call.arguments;
    if (summary.trim() === '')
      return fail({ reason: 'missing-argument', command: 'summary', argument: '<text>' });
    const { recordSummary } = await import('../../engine/brief/decide.ts');
    return present(
      'summary',
      await recordSummary(await environmentOf(face), { ...targetOf(call), agent, summary }),
      {
        loadText: async () => (await import('../../text/brief.ts')).summaryText,
      },
    );
  },
};
