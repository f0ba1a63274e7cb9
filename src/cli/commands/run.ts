import type { Command } from '../command.ts';
import { pathArgument, runOptions } from '../options.ts';

export const runPipelineCommand: Command = {
  name: 'run',
  group: 'work',
  summary: 'run what is not done yet, or no longer true',
  details: [
    'A run that was stopped goes on; one that is done is proven again. What changed since is named and refused',
    'unless an option allows it. Ctrl-C lets running steps finish; a second one stops them.',
    'A run in which nothing has happened for long (14 days) is asked about, or takes --yes.',
  ],
  arguments: [pathArgument],
  options: runOptions,
  examples: [
    { line: 'pawl run', summary: 'the pipeline of this folder' },
    { line: 'pawl run examples/book', summary: 'the pipeline of another one' },
    { line: "pawl run --unit 'ch001_*' --until write", summary: 'a part of it; pawl run does the rest' },
  ],
  async perform(call, face) {
    const { performRun } = await import('./perform-run.ts');
    return await performRun(call, face);
  },
};
