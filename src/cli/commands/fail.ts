import { textOption } from '../call.ts';
import { type Command, present } from '../command.ts';
import {
  actorOption,
  fenceOption,
  reasonOption,
  runOption,
  spentOptions,
  takeoverOption,
  taskArgument,
} from '../options.ts';
import { outsideWorkerEnvironment, readTaskRequest, requireReason, taskShown } from './task-call.ts';

export const failCommand: Command = {
  name: 'fail',
  group: 'tasks',
  summary: 'say that a claimed task failed; it can be claimed again while it has attempts left',
  arguments: [taskArgument],
  options: [
    runOption,
    actorOption,
    fenceOption,
    reasonOption,
    {
      flags: '--revise <phase>',
      summary: 'an earlier phase has to be done again first; it is handed the reason',
    },
    ...spentOptions,
    takeoverOption,
  ],
  async perform(call, face) {
    const request = readTaskRequest(call, face);
    if (!request.ok) return request;
    const reason = requireReason(call);
    if (!reason.ok) return reason;
    const { failTask } = await import('../../engine/tasks/end.ts');
    const revise = textOption(call, 'revise');
    const answer = await failTask(await outsideWorkerEnvironment(face), {
      ...request.value,
      reason: reason.value,
      revise,
    });
    return present('fail', answer, taskShown);
  },
};
