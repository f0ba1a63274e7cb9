import { fail, ok, type Result } from '../base/result.ts';
import type { CheckpointView } from '../engine/observe/questions.ts';
import type { Environment } from '../engine/open/environment.ts';
import type { PlanRequest } from '../engine/open/requests.ts';
import type { RunRequest } from '../engine/run/run-request.ts';
import type { Failure } from '../model/failure.ts';
import type { ExistingFiles, RunChoice } from '../model/failure-details.ts';
import type { Refusal } from '../model/refusal.ts';
import { changeKey } from '../model/refusal.ts';
import type { Trouble } from '../text/catalogue/failures.ts';
import {
  changeChoices,
  changeQuestion,
  changeQuestionLines,
  reasonQuestion,
} from '../text/help/change-question.ts';
import {
  checkpointChoice,
  existingChoices,
  existingQuestion,
  feedbackQuestion,
  noCheckpointChoice,
  runChoice,
  whichCheckpointQuestion,
  whichRunQuestion,
} from '../text/help/questions.ts';
import type { Call } from './call.ts';
import { environmentOf } from './command.ts';
import { questionStreams } from './confirm.ts';
import type { Face } from './face.ts';

/** Asks which of several runs is meant. Undefined: no one can be asked, or the person cancelled. */
export async function chooseRun(face: Face, candidates: readonly RunChoice[]): Promise<string | undefined> {
  if (!face.canAsk) return undefined;
  const prompts = await import('@clack/prompts');
  const options = candidates.map((run) => ({ value: run.id, ...runChoice(run) }));
  const answer = await prompts.select({ message: whichRunQuestion, options, ...questionStreams(face) });
  return typeof answer === 'string' ? answer : undefined;
}

/** Asks what has to change. Undefined: the person cancelled or typed nothing. */
export async function askFeedback(face: Face): Promise<string | undefined> {
  const prompts = await import('@clack/prompts');
  const answer = await prompts.text({ message: feedbackQuestion, ...questionStreams(face) });
  return typeof answer === 'string' && answer.trim() !== '' ? answer : undefined;
}

/** Asks what to do with files at output paths of a new run. Undefined: no one can be asked, or the run is not to start. */
export async function chooseForExisting(
  face: Face,
  existing: ExistingFiles,
): Promise<{ readonly adoptExisting?: boolean; readonly replaceExisting?: boolean } | undefined> {
  if (!face.canAsk) return undefined;
  const prompts = await import('@clack/prompts');
  const answer = await prompts.select({
    message: existingQuestion(existing),
    options: existingChoices.map(({ value, label }) => ({ value, label })),
    initialValue: 'cancel',
    ...questionStreams(face),
  });
  if (answer === 'adopt') return { adoptExisting: true };
  return answer === 'replace' ? { replaceExisting: true } : undefined;
}

/**
 * Asks which open checkpoint is meant. Undefined: no one can be asked, or none was chosen. The first choice is none of
 * them, so that typing words and Return decides nothing.
 */
export async function chooseCheckpoint(
  face: Face,
  waiting: readonly CheckpointView[],
): Promise<string | undefined> {
  if (!face.canAsk) return undefined;
  const prompts = await import('@clack/prompts');
  const options = [
    { value: '', label: noCheckpointChoice },
    ...waiting.map((view) => ({ value: view.id ?? '', ...checkpointChoice(view) })),
  ];
  const answer = await prompts.select({
    message: whichCheckpointQuestion,
    options,
    initialValue: '',
    ...questionStreams(face),
  });
  return typeof answer === 'string' && answer !== '' ? answer : undefined;
}

type Asking = Extract<Failure, { readonly reason: 'refused' | 'rerun-above' }>;

type ChangeAnswer = Pick<RunRequest, 'answering' | 'rerunChanged' | 'keepChanged'>;

/**
 * Asks what to do with results whose inputs changed: re-run, keep, look at the differences first, or cancel. Undefined:
 * neither answer is possible, such as for a template that is missing and needed.
 */
export async function answerChanges(
  call: Call,
  face: Face,
  request: PlanRequest,
  failure: Asking,
): Promise<Result<ChangeAnswer, Trouble> | undefined> {
  const { answerEffects } = await import('../engine/show/answer-effects.ts');
  const env = await environmentOf(face);
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
      ...questionStreams(face),
    });
    if (answer === 'diff') {
      face.err(await textOfDifferences(env, request, face));
      continue;
    }
    if (answer !== 'rerun' && answer !== 'keep') return cancelled;
    const reason = await prompts.text({
      message: reasonQuestion(answer),
      initialValue: request.reason ?? '',
      validate: (text = '') => (text.trim() === '' ? 'A reason is needed: it is recorded.' : undefined),
      ...questionStreams(face),
    });
    if (typeof reason !== 'string') return cancelled;
    const answering = { changes: new Set(changes.map(changeKey)), reason: reason.trim() };
    return ok({ answering, [answer === 'rerun' ? 'rerunChanged' : 'keepChanged']: true });
  }
}

async function textOfDifferences(
  env: Environment,
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
