import type { Readable, Writable } from 'node:stream';
import { fail, ok, type Result } from '../base/result.ts';
import type { CheckpointView } from '../engine/observe/questions.ts';
import type { ExistingFiles, RunChoice } from '../model/failure-details.ts';
import type { CallProblem } from '../text/catalogue/call-problems.ts';
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
import { type Call, flagOption } from './call.ts';
import type { Face } from './face.ts';

/** Asks a person before something is done that cannot be undone by doing it again. Without a terminal: `--yes`. */
export async function confirm(
  call: Call,
  face: Face,
  question: string,
): Promise<Result<undefined, CallProblem>> {
  if (flagOption(call, 'yes')) return ok(undefined);
  if (!face.canAsk) return fail({ reason: 'needs-yes', command: call.command });
  const prompts = await import('@clack/prompts');
  const answer = await prompts.confirm({ message: question, initialValue: false, ...ends(face) });
  return answer === true ? ok(undefined) : fail({ reason: 'declined', command: call.command });
}

/** Which of several runs is meant. Undefined: nobody can be asked, or nobody answered. */
export async function chooseRun(face: Face, candidates: readonly RunChoice[]): Promise<string | undefined> {
  if (!face.canAsk) return undefined;
  const prompts = await import('@clack/prompts');
  const options = candidates.map((run) => ({ value: run.id, ...runChoice(run) }));
  const answer = await prompts.select({ message: whichRunQuestion, options, ...ends(face) });
  return typeof answer === 'string' ? answer : undefined;
}

/** What has to change; undefined where the person cancels or says nothing. */
export async function askFeedback(face: Face): Promise<string | undefined> {
  const prompts = await import('@clack/prompts');
  const answer = await prompts.text({ message: feedbackQuestion, ...ends(face) });
  return typeof answer === 'string' && answer.trim() !== '' ? answer : undefined;
}

/** What becomes of files at output paths of a new run. Undefined: no one can be asked, or the run is not to start. */
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
    ...ends(face),
  });
  if (answer === 'adopt') return { adoptExisting: true };
  return answer === 'replace' ? { replaceExisting: true } : undefined;
}

/**
 * Which of the questions that wait. Undefined: nobody can be asked, or did not choose. What is chosen unless somebody moves
 * is none of them: whoever types words and a return has decided nothing.
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
    ...ends(face),
  });
  return typeof answer === 'string' && answer !== '' ? answer : undefined;
}

/** Questions are asked beside the result, which may go into a file. */
export function ends({ io }: Face): { readonly input: Readable; readonly output: Writable } {
  return { input: io.stdin, output: io.stderr };
}
