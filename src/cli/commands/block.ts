import { type Command, present } from '../command.ts';
import { actorOption, reasonOption, runOption, takeoverOption, taskArgument } from '../options.ts';
import { outsideWorkerEnvironment, readTaskRequest, requireReason, taskShown } from './task-call.ts';

export const blockCommand: Command = {
  name: 'block',
  group: 'tasks',
  summary: 'say that a task cannot go on before something is done about it',
  arguments: [taskArgument],
  options: [runOption, actorOption, reasonOption, takeoverOption],
  async perform(call, face) {
    const request = readTaskRequest(call, face);
    if (!request.ok) return request;
    const reason = requireReason(call);
    if (!reason.ok) return reason;
    const { blockTask } = await import('../../engine/tasks/end.ts');
    const answer = await blockTask(await outsideWorkerEnvironment(face), {
      ...request.value,
      reason: reason.value,
    });
    return present('block', answer, taskShown);
  },
};
