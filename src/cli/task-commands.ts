import type { ArgumentSpec, CommandSpec, OptionSpec } from '../text/help/help.ts';
import { actor, path, reason, run, takeover, tasks } from './command-parts.ts';

const fence: OptionSpec = {
  flags: '--number <n>',
  summary: 'the number that the claim was given; default: the one that the actor has',
};
const task: ArgumentSpec = { name: '<task>', summary: 'a unit, or UNIT/PHASE where it has several phases' };
/** What the work has cost, for those who do it outside. */
const spent: readonly OptionSpec[] = [
  { flags: '--cost <usd>', summary: 'what the work has cost in USD; counted by budgets and pawl cost' },
  { flags: '--tokens <n>', summary: 'how many tokens it has used; counted likewise' },
];

/** Work that is claimed and done outside. */
export const taskCommands: readonly CommandSpec[] = [
  {
    name: 'next',
    group: tasks,
    summary: 'claim the next task, with all that is needed to do it',
    details: [
      'Of any number of callers each task is given to exactly one. The claim lasts as long as its lease; heartbeat',
      'renews it. Exit code 75: nothing now, come again later; 0 without a task: everything is done.',
    ],
    arguments: [path],
    options: [run, actor, { flags: '--role <name>', summary: 'only tasks for this role' }, takeover],
    examples: [{ line: 'pawl next --actor executor-1 --json', summary: 'for an agent: one JSON document' }],
  },
  {
    name: 'start',
    group: tasks,
    summary: 'claim a task by its name, or get a claim of your own again',
    arguments: [{ name: '<task>', summary: 'a unit' }],
    options: [run, actor, takeover],
  },
  {
    name: 'complete',
    group: tasks,
    summary: 'say that a claimed task is done: it is checked, and recorded',
    details: [
      'Every declared output and file has to be there and pass its check. Under a number that is no longer the newest',
      'it is refused, and what was made is kept aside.',
    ],
    arguments: [task],
    options: [
      run,
      actor,
      takeover,
      fence,
      { flags: '--artifact <path...>', summary: 'files that were made besides those declared' },
      { flags: '--output <name=path...>', summary: 'where an output lies that is not at its declared path' },
      { flags: '--note <text>', summary: 'what is worth knowing about it; recorded' },
      ...spent,
    ],
    examples: [
      { line: 'pawl complete T001 --actor executor-1 --artifact src/a.ts', summary: 'with one more file' },
    ],
  },
  {
    name: 'fail',
    group: tasks,
    summary: 'say that a claimed task failed; it can be claimed again while it has attempts left',
    arguments: [task],
    options: [
      run,
      actor,
      fence,
      reason,
      {
        flags: '--revise <phase>',
        summary: 'an earlier phase has to be done again first; it is handed the reason',
      },
      ...spent,
      takeover,
    ],
  },
  {
    name: 'block',
    group: tasks,
    summary: 'say that a task cannot go on before something is done about it',
    arguments: [task],
    options: [run, actor, reason, takeover],
  },
  {
    name: 'unblock',
    group: tasks,
    summary: 'say that what blocked a task is settled',
    arguments: [task],
    options: [run, actor, { flags: '--note <text>', summary: 'how it was settled; recorded' }, takeover],
  },
  {
    name: 'heartbeat',
    group: tasks,
    summary: 'keep a claim: its lease starts anew',
    arguments: [task],
    options: [run, actor, fence, takeover],
  },
  {
    name: 'release',
    group: tasks,
    summary: 'give a claim back',
    arguments: [task],
    options: [run, actor, fence, takeover],
  },
];
