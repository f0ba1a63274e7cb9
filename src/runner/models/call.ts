import { fail, ok, type Result } from '../../base/result.ts';
import { makeFolderDurable } from '../../disk/write.ts';
import { modelName } from '../../model/calls.ts';
import type { ModelCall } from '../../model/definition.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import type { Account, Attempt, Produced } from '../attempt.ts';
import { keepInFolder } from '../attempt-folder.ts';
import { folderOf, type RunContext } from '../context.ts';
import { turnsFile } from '../prompt.ts';
import type { KeptAnswer } from './answer-files.ts';
import { ask } from './ask.ts';
import { reuse, takeOver } from './earlier-answers.ts';
import { observeCall } from './observe.ts';
import { partsOf } from './parts.ts';
import type { PreparedCall } from './prepared-call.ts';

/**
 * An attempt of a phase that asks a model. What was paid for is never paid again: an answer that had arrived when its
 * attempt was cut off is taken over; the same call that was answered elsewhere is not made, where the manifest says so;
 * and an answer is on disk, whole and marked as that, before anything is made of it.
 */
export async function callModel(
  run: RunContext,
  attempt: Attempt,
  executor: ModelCall,
  call: PreparedCall,
  account: Account,
): Promise<Result<Produced, AttemptFailure>> {
  await keepSent(run, attempt, executor, call);
  const kept =
    (await takeOver(run, attempt, call)) ??
    (await reuse(run, attempt, executor, call, account)) ??
    (await ask(run, attempt, executor, call, account));
  if ('reason' in kept) {
    account.noAnswer = { failure: kept, pause: account.pause };
    return fail(kept);
  }
  account.call = kept.call;
  if (kept.call.reused === undefined) account.costs.push(kept.cost);
  observeCall(run, attempt, executor, kept.call, kept.cost, undefined);
  return madeOf(attempt, kept);
}

/** What is sent, for people to look at. The folder lasts as long as what will be paid for and put there. */
async function keepSent(
  run: RunContext,
  attempt: Attempt,
  executor: ModelCall,
  { system, turns, schema, files, key }: PreparedCall,
): Promise<void> {
  if (run.loaded.pipeline.durability === 'power') await makeFolderDurable(run.disk, folderOf(run, attempt));
  keepInFolder(run, attempt, 'prompt.md', turnsFile(system, turns));
  const sent = {
    model: modelName(executor),
    parameters: executor.parameters,
    ...(schema !== undefined && { schema }),
    ...(files.length > 0 && {
      files: files.map(({ name, mediaType, hash }) => ({ name, mediaType, hash })),
    }),
    key,
  };
  keepInFolder(run, attempt, 'call.json', `${JSON.stringify(sent, null, 2)}\n`);
}

/** An answer that ended before its end, or was kept back, is none, whatever can be read in it. */
function madeOf(attempt: Attempt, { text, call }: KeptAnswer): Result<Produced, AttemptFailure> {
  const { finish = '' } = call;
  if (finish === 'content-filter') return fail({ reason: 'answer-filtered', message: '', facts: { finish } });
  if (finish === 'tool-calls') return fail({ reason: 'answer-calls-tool', message: '', facts: { finish } });
  // `length`, or a word that only its provider knows: nothing but `stop` says that this is all of it.
  if (finish !== 'stop') return fail({ reason: 'answer-truncated', message: '', facts: { finish } });
  const values = partsOf(text, attempt.phase.outputs);
  if (!values.ok) return values;
  return ok({ response: text, outputs: { kind: 'values', values: values.value } });
}
