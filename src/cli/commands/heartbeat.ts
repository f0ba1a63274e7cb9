import { type Command, present } from '../command.ts';
import { actorOption, fenceOption, runOption, takeoverOption, taskArgument } from '../options.ts';
import { outsideWorkerEnvironment, readTaskRequest, taskShown } from './task-call.ts';

export const heartbeatCommand: Command = {
  name: 'heartbeat',
  group: 'tasks',
  summary: 'keep a claim: its lease starts anew',
  arguments: [taskArgument],
  options: [runOption, actorOption, fenceOption, takeoverOption],
  async perform(call, face) {
    const request = readTaskRequest(call, face);
    if (!request.ok) return request;
    const { heartbeat } = await import('../../engine/tasks/end.ts');
    return present(
      'heartbeat',
      await heartbeat(await outsideWorkerEnvironment(face), request.value),
      taskShown,
    );
  },
};
