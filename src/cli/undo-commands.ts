import type { CommandSpec, OptionSpec } from '../text/help/help.ts';
import { decide, path, reason, run, yes } from './command-parts.ts';

const dryRun: OptionSpec = {
  flags: '--dry-run',
  summary: 'show what it would bring back, and change nothing',
};

/** Earlier results that count again. */
export const undoCommands: readonly CommandSpec[] = [
  {
    name: 'undo',
    group: decide,
    summary: 'take back the last re-run, keep, adoption or restore, with all that ran because of it',
    details: [
      'The decisions of one call are taken back together. Earlier results come from the content store without a call.',
      'Where an input differs they count as outdated (kept). A second undo takes back the decision before.',
    ],
    arguments: [path],
    options: [run, { flags: '--redo', summary: 'take back the last undo instead' }, dryRun, reason, yes],
    examples: [
      { line: 'pawl undo --dry-run', summary: 'what would be taken back' },
      { line: 'pawl undo --yes', summary: 'without a question, where there is no terminal' },
    ],
  },
  {
    name: 'restore',
    group: decide,
    summary: 'make an earlier attempt the result of a step',
    details: ['What depends on the step runs again where the bytes differ. pawl undo takes it back.'],
    arguments: [{ name: '<cell>', summary: 'a unit and a phase: ch001_sc002/write' }],
    options: [
      run,
      { flags: '--attempt <number>', summary: 'the attempt, as pawl logs and pawl why number it' },
      dryRun,
      reason,
      yes,
    ],
  },
];
