import type { CommandSpec } from '../report/help/help.ts';
import { path, run } from './command-parts.ts';
import { selecting } from './select-options.ts';

/** What runs there are, and what their attempts wrote. */
export const logCommands: readonly CommandSpec[] = [
  {
    name: 'runs',
    group: 'look',
    summary: 'list all runs, the newest first, with units, cost, time, age and folder',
    details: ['Time: how long pawl run has worked on it. Age: since it was created.'],
    arguments: [path],
    options: [],
  },
  {
    name: 'logs',
    group: 'look',
    summary: 'show what the newest attempt at a step wrote, and why it failed',
    details: ['Why it failed stands first, then stderr, stdout and the answer of a model.'],
    arguments: [
      { name: '[cell]', summary: 'a unit and a phase: ch001_sc002/write; or a selection in its place' },
    ],
    options: [
      run,
      ...selecting,
      { flags: '--attempt <which>', summary: 'the attempt with this number, or all' },
      { flags: '--tail <lines>', summary: 'only so many lines from the end of each file' },
      {
        flags: '--follow',
        summary: 'live: the attempt that runs, then the next, until the step is finished',
      },
      { flags: '--all', summary: 'also prompt, request and context files' },
    ],
    examples: [
      { line: 'pawl logs ch001_sc002/write --tail 20', summary: 'the end of what it wrote' },
      { line: 'pawl logs --failed', summary: 'what went wrong, of the whole run' },
    ],
  },
];
