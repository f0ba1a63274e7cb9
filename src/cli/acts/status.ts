import { ok } from '../../base/result.ts';
import type { SelectionRequest } from '../../engine/open/requests.ts';
import { type Act, type Outcome, targetOf } from '../act.ts';
import { type Call, flagOption } from '../call.ts';
import type { Face } from '../face.ts';
import { selectionOf } from '../selection.ts';
import { watchSignals } from '../signals.ts';

export const act: Act = async (call, face) => {
  const selection = selectionOf(call);
  if (!selection.ok) return selection;
  if (flagOption(call, 'watch')) return await watch(call, face, selection.value);
  const { showStatus } = await import('../../engine/show/status.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const answer = await showStatus(systemEnvironment(face.place), { ...targetOf(call), ...selection.value });
  return answer.ok ? ok({ command: 'status', answer: answer.value }) : answer;
};

/** Live, until no process works on the run or the person has seen enough; then the status as always. */
async function watch(call: Call, face: Face, selection: SelectionRequest): Promise<Outcome> {
  const { watchStatus } = await import('../../engine/show/watch-status.ts');
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  const { openWatchView } = await import('../watch-view.ts');
  const view = await openWatchView(face);
  const signals = watchSignals(face.io, {
    stopping: () => undefined,
    ending: () => undefined,
    leaving: () => view.end(),
  });
  try {
    const request = { ...targetOf(call), ...selection, watcher: view, stop: signals.stop };
    const answer = await watchStatus(systemEnvironment(face.place), request);
    if (!answer.ok) return answer;
    return { ...ok({ command: 'status', answer: answer.value }), exitCode: signals.exitCode() };
  } finally {
    view.end();
    signals.ignore();
  }
}
