import { fail, ok } from '../../base/result.ts';
import { type Act, askNamedRun } from '../act.ts';
import { flagOption } from '../call.ts';
import { selectionOf } from '../selection.ts';

export const act: Act = async (call, face) => {
  const csv = flagOption(call, 'csv');
  if (csv && face.json)
    return fail({ reason: 'usage', problem: { code: 'flags-exclude', flags: ['--csv', '--json'] } });
  const selection = selectionOf(call);
  if (!selection.ok) return selection;
  const { inspectRun } = await import('../../engine/show/inspect.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const answer = await askNamedRun(call, face.place.cwd, (target) =>
    inspectRun(systemEnvironment(face.place), { ...target, ...selection.value }),
  );
  return answer.ok ? ok({ command: 'inspect', answer: answer.value, as: csv ? 'csv' : 'text' }) : answer;
};
