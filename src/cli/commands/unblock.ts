import { textOption } from '../call.ts';
import { type Command, present } from '../command.ts';
import { actorOption, runOption, takeoverOption, taskArgument } from '../options.ts';
import { outsideWorkerEnvironment, readTaskRequest, taskShown } from './task-call.ts';

export const unblockCommand: Command = {
  name: 'unblock',
  group: 'tasks',
  summary: 'say that what blocked a task is settled',
  arguments: [taskArgument],
  options: [
    runOption,
    actorOption,
    { flags: '--note <text>', summary: 'how it was settled; recorded' },
    takeoverOption,
  ],
  async perform(call, face) {
    const request = readTaskRequest(call, face);
    if (!request.ok) return request;
    const { unblockTask } = await import('../../engine/tasks/end.ts');
    const note = textOption(call, 'note');
    return present(
      'unblock',
      await unblockTask(await outsideWorkerEnvironment(face), { ...request.value, note }),
      taskShown,
    );
  },
};
