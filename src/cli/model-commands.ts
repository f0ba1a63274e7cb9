import type { CommandSpec } from '../text/help/help.ts';
import { path, run } from './command-parts.ts';
import { selecting } from './select-options.ts';

/** What is sent to models, and what that costs. */
export const modelCommands: readonly CommandSpec[] = [
  {
    name: 'prompt',
    group: 'look',
    summary: 'show the prompt of a phase as it would be sent now',
    arguments: [{ name: '<cell>', summary: 'a unit and a phase: ch001_sc002/write' }],
    options: [run, { flags: '--diff', summary: 'only how it differs from the one that was sent last' }],
    examples: [{ line: 'pawl prompt ch001_sc002/write --diff', summary: 'what a changed template does' }],
  },
  {
    name: 'cost',
    group: 'look',
    summary: 'show what was spent on models, saved by reuse and wasted by retries',
    arguments: [path],
    options: [
      run,
      ...selecting,
      { flags: '--by <what>', summary: 'phase (the default), model, unit or run' },
    ],
    examples: [{ line: 'pawl cost --by model', summary: 'a line for each model that was asked' }],
  },
];
