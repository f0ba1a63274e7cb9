import type { Command } from '../command.ts';
import { pathArgument, resumeOptions } from '../options.ts';

export const resumeCommand: Command = {
  name: 'resume',
  group: 'work',
  summary: 'say where a run stands and go on with it; never starts a new one',
  details: [
    'First it shows what it has looked at, how that is and what follows: the files that results were made from, the',
    'artifacts of what is done, what there is of unfinished output, content checks, and what people were asked.',
    'A run in which nothing has happened for long (14 days) is asked about, or takes --yes.',
  ],
  arguments: [pathArgument],
  options: resumeOptions,
  async perform(call, face) {
    const { performRun } = await import('./perform-run.ts');
    return await performRun(call, face);
  },
};
