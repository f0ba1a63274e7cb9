import { fail, ok, type Result } from '../base/result.ts';
import type { PlanRequest } from '../engine/open/requests.ts';
import type { RunRequest } from '../engine/run/run-request.ts';
import type { Failure } from '../model/failure.ts';
import type { Refusal } from '../model/reason.ts';
import { changeKey } from '../model/refusal.ts';
import type { Trouble } from '../text/catalogue/failures.ts';
import {
  changeChoices,
  changeQuestion,
  changeQuestionLines,
  reasonQuestion,
} from '../text/help/change-question.ts';
import type { Call } from './call.ts';
import { ends } from './confirm.ts';
import type { Face } from './face.ts';

type Asking = Extract<Failure, { readonly reason: 'refused' | 'rerun-above' }>;

type ChangeAnswer = Pick<RunRequest, 'answering' | 'rerunChanged' | 'keepChanged'>;

/**
 * Asks what becomes of results whose inputs changed: re-run, keep, look at the differences first, or cancel. Undefined:
 * neither answer is possible, such as for a template that is missing and needed.
 */
export async function answerChanges(
  call: Call,
  face: Face,
  request: PlanRequest,
  failure: Asking,
): Promise<Result<ChangeAnswer, Trouble> | undefined> {
  const { answerEffects } = await import('../engine/show/answer-effects.ts');
  const { systemEnvironment } = await import('../engine/open/environment.ts');
  const env = systemEnvironment(face.place);
  const changes: readonly Refusal[] = failure.reason === 'refused' ? failure.refusals : failure.changes;
  const effects = await answerEffects(env, { ...request, changes });
  if (!effects.ok) return effects;
  const { rerun, keep } = effects.value;
  if (rerun === undefined && keep === undefined) return undefined;
  face.err(changeQuestionLines(failure, effects.value, face.errStyle).join('\n'));
  const prompts = await import('@clack/prompts');
  const cancelled = fail({ reason: 'declined' as const, command: call.command });
  for (;;) {
    const answer = await prompts.select({
      message: changeQuestion,
      options: changeChoices(effects.value),
      initialValue: 'cancel',
      ...ends(face),
    });
    if (answer === 'diff') {
      face.err(await differences(env, request, face));
      continue;
    }
    if (answer !== 'rerun' && answer !== 'keep') return cancelled;
    const reason = await prompts.text({
      message: reasonQuestion(answer),
      initialValue: request.reason ?? '',
      validate: (text = '') => (text.trim() === '' ? 'A reason is needed: it is recorded.' : undefined),
      ...ends(face),
    });
    if (typeof reason !== 'string') return cancelled;
    const answering = { changes: new Set(changes.map(changeKey)), reason: reason.trim() };
    return ok({ answering, [answer === 'rerun' ? 'rerunChanged' : 'keepChanged']: true });
  }
}

async function differences(
  env: Parameters<typeof import('../engine/show/diff.ts')['showDiff']>[0],
  { path, run }: PlanRequest,
  { errStyle }: Face,
): Promise<string> {
  const { showDiff } = await import('../engine/show/diff.ts');
  const [{ diffText }, { troubleText }] = await Promise.all([
    import('../text/diff.ts'),
    import('../text/catalogue/failures.ts'),
  ]);
  const shown = await showDiff(env, { path, run });
  return shown.ok ? diffText(shown.value, errStyle) : troubleText(shown.failure, errStyle);
}
