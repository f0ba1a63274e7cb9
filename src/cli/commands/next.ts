import type { Command } from '../command.ts';
import { actorOption, pathArgument, runOption, takeoverOption } from '../options.ts';
import { claimNext } from './task-call.ts';

export const nextCommand: Command = {
  name: 'next',
  group: 'tasks',
  summary: 'claim the next task, with all that is needed to do it',
  details: [
    'Of any number of callers each task is given to exactly one. The claim lasts as long as its lease; heartbeat',
    'renews it. Exit code 75: nothing now, come again later; 0 without a task: everything is done.',
  ],
  arguments: [pathArgument],
  options: [
    runOption,
    actorOption,
    { flags: '--role <name>', summary: 'only tasks for this role' },
    takeoverOption,
  ],
  examples: [{ line: 'pawl next --actor executor-1 --json', summary: 'for an agent: one JSON document' }],
  async perform(call, face) {
    return await claimNext(call, face, undefined);
  },
};
