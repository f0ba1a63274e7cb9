import { ok } from '../../base/result.ts';
import { visitorEnvironment } from '../../engine/open/environment.ts';
import { nextTask } from '../../engine/tasks/next.ts';
import { type Act, targetOf } from '../act.ts';
import { actorOf } from '../actor.ts';
import { flagOption, textOption } from '../call.ts';

/** `next` and `start`: the same, but that `start` is asked for a task by its name. */
export const act: Act = async (call, face) => {
  const actor = actorOf(call, face.io.process.variables);
  if (!actor.ok) return actor;
  const answer = await nextTask(visitorEnvironment(face.place), {
    ...targetOf(call),
    actor: actor.value,
    role: textOption(call, 'role'),
    takeover: flagOption(call, 'takeover'),
    unit: call.command === 'start' ? call.arguments[0] : undefined,
  });
  return answer.ok ? ok({ command: 'next', answer: answer.value }) : answer;
};
