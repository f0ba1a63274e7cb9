import { type Command, present } from '../command.ts';
import { actorOption, fenceOption, runOption, takeoverOption, taskArgument } from '../options.ts';
import { outsideWorkerEnvironment, readTaskRequest, taskShown } from './task-call.ts';

export const releaseCommand: Command = {
  name: 'release',
  group: 'tasks',
  summary: 'give a claim back',
  arguments: [taskArgument],
  options: [runOption, actorOption, fenceOption, takeoverOption],
  async perform(call, face) {
    const request = readTaskRequest(call, face);
    if (!request.ok) return request;
    const { releaseTask } = await import('../../engine/tasks/end.ts');
    return present(
      'release',
      await releaseTask(await outsideWorkerEnvironment(face), request.value),
      taskShown,
    );
  },
};
