import type { CommandSpec } from '../text/help/help.ts';
import { path, run } from './command-parts.ts';
import { selecting } from './select-options.ts';

/** What runs there are, what their attempts wrote, and what was decided. */
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
  {
    name: 'history',
    group: 'look',
    summary: 'list the decisions of a run: who, when, why and what they affected',
    details: [
      'Overrides, adoptions, answers, cancellations, takeovers, repairs, re-runs by a policy and what pawl decide',
      'recorded, the newest last.',
    ],
    arguments: [{ name: '[unit]', summary: 'only decisions that affected this unit, or this UNIT/PHASE' }],
    options: [run],
    examples: [{ line: 'pawl history ch001_sc002', summary: 'what was decided about one unit' }],
  },
  {
    name: 'diff',
    group: 'look',
    summary: 'show what changed since results were made, or between two attempts or runs',
    arguments: [{ name: '[cell]', summary: 'only for this unit and phase' }],
    options: [
      run,
      { flags: '--attempts <n,m>', summary: 'outputs and inputs of two attempts at UNIT/PHASE' },
      { flags: '--runs <id,id>', summary: 'which steps of two runs differ, and in what' },
    ],
    examples: [{ line: 'pawl diff ch001_sc002/write --attempts 1,2', summary: 'what the re-run changed' }],
  },
];
