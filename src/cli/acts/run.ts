import { ok } from '../../base/result.ts';
import { endingWords, stoppingWords } from '../../report/progress.ts';
import { endOf } from '../../report/run.ts';
import { type Act, overridesOf, targetOf } from '../act.ts';
import { flagOption } from '../parse.ts';
import { watchSignals } from '../signals.ts';
import { openView } from '../views.ts';

/** `run` and `resume`: the same, but that `resume` never starts a new run. */
export const act: Act = async (call, face) => {
  const { runPipeline } = await import('../../engine/run.ts');
  const { systemEnvironment } = await import('../../engine/environment.ts');
  const env = systemEnvironment();
  const view = await openView(face);
  const signals = watchSignals({
    stopping: () => view.tell(stoppingWords),
    ending: () => view.tell(endingWords),
    leaving: () => view.close(),
  });
  try {
    const answer = await runPipeline(env, {
      ...targetOf(call),
      existingOnly: call.command === 'resume',
      ...overridesOf(call),
      takeover: flagOption(call, 'takeover'),
      observer: view,
      stop: signals.stop,
      interrupt: signals.interrupt,
    });
    if (!answer.ok) return answer;
    const command = call.command === 'resume' ? 'resume' : 'run';
    const isInterrupted = endOf(answer.value) === 'interrupted';
    return {
      ...ok({ command, answer: answer.value }),
      exitCode: isInterrupted ? signals.exitCode() : undefined,
    };
  } finally {
    view.close();
    signals.ignore();
  }
};
