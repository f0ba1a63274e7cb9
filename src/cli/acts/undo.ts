import { ok } from '../../base/result.ts';
import type { Environment } from '../../engine/open/environment.ts';
import { undoQuestion } from '../../text/help/questions.ts';
import { type Act, targetOf } from '../act.ts';
import { type Call, flagOption, textOption } from '../call.ts';
import { confirm } from '../confirm.ts';
import type { Face } from '../face.ts';

/** Shows what would be taken back, and asks; without a terminal it takes `--yes`. */
export const act: Act = async (call, face) => {
  const { systemEnvironment } = await import('../../engine/open/environment.ts');
  return await takeBack(systemEnvironment(face.place), call, face);
};

async function takeBack(env: Environment, call: Call, face: Face): ReturnType<Act> {
  const { undoDecision } = await import('../../engine/people/undo/undo.ts');
  const redo = flagOption(call, 'redo');
  const request = { ...targetOf(call), redo, reason: textOption(call, 'reason') };
  const isAsked = !flagOption(call, 'yes');
  if (!isAsked) {
    const answer = await undoDecision(env, { ...request, dryRun: flagOption(call, 'dryRun') });
    return answer.ok ? ok({ command: 'undo', answer: answer.value }) : answer;
  }
  const shown = await undoDecision(env, { ...request, dryRun: true });
  if (!shown.ok) return shown;
  if (flagOption(call, 'dryRun')) return ok({ command: 'undo', answer: shown.value });
  if (face.canAsk) {
    const { previewLines } = await import('../../text/undo.ts');
    face.err(previewLines(shown.value, face.errStyle).join('\n'));
  }
  const confirmed = await confirm(call, face, undoQuestion(shown.value.steps.length, redo));
  if (!confirmed.ok) return confirmed;
  // The decision that was shown, and no other that may have been made since.
  const expected = shown.value.decisions.map(({ id }) => id);
  const answer = await undoDecision(env, { ...request, expected });
  return answer.ok ? ok({ command: 'undo', answer: answer.value }) : answer;
}
