import type { CommandSpec, OptionSpec } from '../text/help/help.ts';
import { briefCommands } from './brief-commands.ts';
import {
  actor,
  decide,
  path,
  reason,
  run,
  takeover,
  tasks,
  watching,
  watchStatus,
  yes,
} from './command-parts.ts';
import { decideCommands } from './decide-commands.ts';
import { lookCommands } from './look-commands.ts';
import { modelCommands } from './model-commands.ts';
import { pacing, selecting, selectingToRun } from './select-options.ts';
import { taskCommands } from './task-commands.ts';
import { undoCommands } from './undo-commands.ts';
import { welcomeCommands } from './welcome-commands.ts';

/*
 * Every command as data, in the order of help: what is needed first stands first. Nothing heavy is imported here:
 * `pawl --help` reads this file and prints. What a command does is in `acts/`, one file each, loaded when it is called.
 */

export const globalOptions: readonly OptionSpec[] = [
  { flags: '-C, --dir <path>', summary: 'as if started in this folder; a manifest is taken too' },
  { flags: '--json', summary: 'one JSON document on stdout; progress stays on stderr' },
  { flags: '-q, --quiet', summary: 'no progress, only the result' },
  { flags: '--no-input', summary: 'ask nothing, also in a terminal: refuse, and print the options' },
  { flags: '--no-color', summary: 'no colours (also: the variable NO_COLOR)' },
];

const deep: OptionSpec = {
  flags: '--deep',
  summary: 'hash every file instead of trusting an unchanged stat',
};

const overrides: readonly OptionSpec[] = [
  {
    flags: '--rerun-changed',
    summary: 're-run what changes affect, and what depends on it; takes a --reason',
  },
  {
    flags: '--keep-changed',
    summary: 'keep results although their inputs changed, as outdated; takes a --reason',
  },
  {
    flags: '--rerun-change <name>',
    summary: 'the same as --rerun-changed for one change, named as plan prints it',
    isRepeatable: true,
  },
  {
    flags: '--keep-change <name>',
    summary: 'the same as --keep-changed for one change',
    isRepeatable: true,
  },
  { flags: '--rerun-from <phase>', summary: 'run this phase and all later ones again' },
  { flags: '--rerun-all', summary: 'run every phase again' },
  {
    flags: '--resume-allow-prompt-change',
    summary: 'run again what a changed prompt affects; takes a --reason',
  },
  {
    flags: '--force-resume',
    summary: 'keep results though what they were made from changed; takes a --reason',
  },
  { flags: '--force', summary: 'go on with a changed manifest; finished units are kept' },
  {
    flags: '--past-limits',
    summary: 'go on though a limit is reached; counting starts anew; takes a --reason',
  },
  { flags: '--restore', summary: 'bring missing outputs back instead of making them again' },
  reason,
  deep,
];

const choice: readonly OptionSpec[] = [
  {
    flags: '--resume [id]',
    summary: 'resume this run, by the beginning of its id; default: the current one',
  },
  {
    flags: '--fresh',
    summary: 'start a new run; --resume ID still resumes an open one that it replaces',
  },
  { flags: '--dry-run', summary: 'show what would be done, like plan, and do nothing' },
];

const existing: readonly OptionSpec[] = [
  {
    flags: '--adopt-existing',
    summary: 'new run: keep existing outputs that pass their checks; replace the others',
  },
  {
    flags: '--replace-existing',
    summary: 'new run: run every step; files in the way move to aside/',
  },
];

const models: readonly OptionSpec[] = [
  { flags: '--wait', summary: 'wait for what providers and steps ask to wait for, however long' },
];

const reuse: readonly OptionSpec[] = [
  {
    flags: '--reuse',
    summary: 'take results of other runs made from the same, instead of running',
  },
  {
    flags: '--no-reuse',
    summary: 'run every step and ask every model, whatever is known from before',
  },
];

const work = 'work';
const look = 'look';
const care = 'care';

export const commands: readonly CommandSpec[] = [
  {
    name: 'init',
    group: work,
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
  },
  {
    name: 'run',
    group: work,
    summary: 'run what is not done yet, or no longer true',
    details: [
      'A run that was stopped goes on; one that is done is proven again. What changed since is named and refused',
      'unless an option allows it. Ctrl-C lets running steps finish; a second one stops them.',
      'A run in which nothing has happened for long (14 days) is asked about, or takes --yes.',
    ],
    arguments: [path],
    options: [
      run,
      ...choice,
      ...selectingToRun,
      ...existing,
      ...overrides,
      takeover,
      ...models,
      ...reuse,
      ...pacing,
      ...watching,
      yes,
    ],
    examples: [
      { line: 'pawl run', summary: 'the pipeline of this folder' },
      { line: 'pawl run examples/book', summary: 'the pipeline of another one' },
      { line: "pawl run --unit 'ch001_*' --until write", summary: 'a part of it; pawl run does the rest' },
    ],
  },
  {
    name: 'resume',
    group: work,
    summary: 'say where a run stands and go on with it; never starts a new one',
    details: [
      'First it shows what it has looked at, how that is and what follows: the files that results were made from, the',
      'artifacts of what is done, what there is of unfinished output, content checks, and what people were asked.',
      'A run in which nothing has happened for long (14 days) is asked about, or takes --yes.',
    ],
    arguments: [path],
    options: [run, ...selectingToRun, ...overrides, takeover, ...models, ...reuse, ...pacing, yes],
  },
  {
    name: 'status',
    group: look,
    summary: 'show a run as a matrix of units by phases',
    details: ['Of many units it shows the unfinished ones, and the steps of each phase by status.'],
    arguments: [path],
    options: [run, ...selecting, watchStatus],
    examples: [
      { line: "pawl status --unit 'ch001_*' --phase write", summary: 'one phase of some units' },
      { line: 'pawl status --failed', summary: 'only what failed' },
    ],
  },
  {
    name: 'plan',
    group: look,
    summary: 'show what run would do, and why; changes nothing',
    arguments: [path],
    options: [run, ...selectingToRun, ...existing, ...overrides, ...reuse],
  },
  ...lookCommands,
  {
    name: 'verify',
    group: look,
    summary: 'prove the journal, the outputs and the content store',
    details: ['Reads every byte of every output.'],
    arguments: [path],
    options: [
      run,
      deep,
      { flags: '--quick', summary: 'trust an output whose size, times and inode are as recorded' },
      { flags: '--strict', summary: 'exit 4 if a result is outdated' },
    ],
  },
  ...modelCommands,
  ...decideCommands,
  ...undoCommands,
  {
    name: 'adopt',
    group: decide,
    summary: 'take an edit by hand as the result',
    details: ['What depends on it runs again with the next run.'],
    arguments: [{ name: '<targets...>', summary: 'paths of edited outputs, or cells' }],
    options: [run, reason],
  },
  ...taskCommands,
  ...briefCommands,
  {
    name: 'mcp',
    group: tasks,
    summary: 'serve all this to coding agents, over MCP',
    details: ['Speaks the Model Context Protocol on stdin and stdout until stdin ends.'],
    arguments: [path],
    options: [actor],
  },
  {
    name: 'reset',
    group: care,
    summary: 'archive what there is, so that the next run starts fresh',
    details: [
      'Every run of the identity that could be come back to, or the one of --run, moves to .pawl/archive with the',
      'files that it made. Every copy is proven before anything is removed. What another run has put in its place',
      'stays, and so does what is edited meanwhile. A reset that was cut short is finished by the next.',
    ],
    arguments: [path],
    options: [run, takeover, yes],
  },
  {
    name: 'repair',
    group: care,
    summary: 'accept the damage of a run, and record again what is still proven',
    details: [
      'Results that the snapshot or intact outputs still prove are recorded again. Damaged objects are put back from',
      'intact outputs. Nothing is deleted: unreadable files move to the folder damaged of the run.',
    ],
    arguments: [path],
    options: [run, reason, takeover, yes],
  },
  {
    name: 'gc',
    group: care,
    summary: 'say what old runs and unused content take up; delete it with --delete',
    details: [
      'Of every identity: runs that are completed, failed or cancelled, with the files that they made and that nobody',
      'has changed since, and content that no run names any more. Never a run that can be gone on with, and never the',
      'newest completed one of an identity: the next run builds on it. Archives of reset are left alone.',
    ],
    arguments: [path],
    options: [
      {
        flags: '--older-than <duration>',
        summary: 'since the last event of a run: 30d, 2w, 12h; has to be given',
      },
      {
        flags: '--keep <what>',
        summary: 'approved: keep the final outputs of finished units, and the journal',
      },
      { flags: '--delete', summary: 'do it; without this nothing is changed' },
    ],
    examples: [{ line: 'pawl gc --older-than 30d', summary: 'what would go, and how much that frees' }],
  },
  ...welcomeCommands,
];
