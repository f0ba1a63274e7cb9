import { targetOf } from '../call.ts';
import { type Command, environmentOf, present } from '../command.ts';
import { pathArgument } from '../options.ts';

export const runsCommand: Command = {
  name: 'runs',
  group: 'look',
  summary: 'list all runs, the newest first, with units, cost, time, age and folder',
  details: ['Time: how long pawl run has worked on it. Age: since it was created.'],
  arguments: [pathArgument],
  options: [],
  async perform(call, face) {
    const { listRuns } = await import('../../engine/show/runs.ts');
    return present('runs', await listRuns(await environmentOf(face), targetOf(call)), {
      loadText: async () => (await import('../../text/runs.ts')).runsText,
    });
  },
};
