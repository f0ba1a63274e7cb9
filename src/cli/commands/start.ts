import type { Command } from '../command.ts';
import { actorOption, runOption, takeoverOption } from '../options.ts';
import { claimNext } from './task-call.ts';

export const startCommand: Command = {
  name: 'start',
  group: 'tasks',
  summary: 'claim a task by its name, or get a claim of your own again',
  arguments: [{ name: '<task>', summary: 'a unit' }],
  options: [runOption, actorOption, takeoverOption],
  async perform(call, face) {
    return await claimNext(call, face, call.arguments[0]);
  },
};
