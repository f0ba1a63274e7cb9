import { fail, ok, type Result } from '../../base/result.ts';
import { makeFolderDurable } from '../../disk/write.ts';
import { modelName } from '../../model/calls.ts';
import type { ModelCall, OutputSpec } from '../../model/definition.ts';
import type { Cost } from '../../model/event.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import type { AssignedCall, Assignment, ExecutorReport, KeptAnswer, Made } from '../executors/assignment.ts';
import { putValues } from '../executors/collect.ts';
import type { ExecutorHost } from '../executors/host.ts';
import type { TaskInputs } from '../executors/input-file.ts';
import { keepInScratch, turnsFile } from '../executors/scratch.ts';
import { openAnswer } from './answer-files.ts';
import { partsOf } from './answer-parts.ts';
import { ask, observeCall, type Unanswered } from './ask.ts';

const logs = ['prompt.md', 'call.json'];

/**
 * An attempt of a phase that asks a model. What was paid for is never paid again: the call is on record before its
 * assignment is made; an answer that there is already is taken instead of asking; and an answer is on disk, whole and
 * marked as that, before anything is made of it.
 */
export async function callModel(
  assignment: Assignment,
  host: ExecutorHost,
  executor: ModelCall,
  inputs: TaskInputs,
): Promise<ExecutorReport> {
  const { call } = assignment;
  if (call === undefined) throw new Error(`${assignment.phase.name} has no call`);
  await keepSent(assignment, host, executor, call);
  const earlier = await takeEarlierAnswer(assignment, host, executor);
  const kept = earlier ?? (await ask(assignment, host, executor, call, inputs));
  if ('failure' in kept) {
    const { failure, wait, costs = [], isSent } = kept;
    return { outcome: fail(failure), costs, logs, call: kept.call, wait, isSent };
  }
  const costs: readonly Cost[] = kept.call.reused === undefined ? [kept.cost] : [];
  observeCall(host, assignment, executor, kept.call, kept.cost, undefined);
  const outcome = makeOutputs(host, kept, assignment.phase.outputs);
  const isSent = earlier === undefined;
  return { outcome, costs, logs: [...logs, 'response.txt'], call: kept.call, isSent, isAnswered: true };
}

/** What is sent, for people to look at. The folder lasts as long as what will be paid for and put there. */
async function keepSent(
  { isDurable }: Assignment,
  host: ExecutorHost,
  executor: ModelCall,
  { system, turns, schema, files, key }: AssignedCall,
): Promise<void> {
  if (isDurable) await makeFolderDurable(host.disk, host.scratch);
  keepInScratch(host, 'prompt.md', turnsFile(system, turns));
  const sent = {
    model: modelName(executor),
    parameters: executor.parameters,
    ...(schema !== undefined && { schema }),
    ...(files.length > 0 && {
      files: files.map(({ name, mediaType, hash }) => ({ name, mediaType, hash })),
    }),
    key,
  };
  keepInScratch(host, 'call.json', `${JSON.stringify(sent, null, 2)}\n`);
}

/** Puts an answer that there is already into the attempt's own folder, so that the next attempt finds it there. */
async function takeEarlierAnswer(
  assignment: Assignment,
  host: ExecutorHost,
  executor: ModelCall,
): Promise<KeptAnswer | Unanswered | undefined> {
  const found = await host.findAnswer?.();
  if (found === undefined) return undefined;
  if ('failure' in found) return { ...found, call: { model: modelName(executor), ms: 0 }, isSent: false };
  const file = await openAnswer(host, assignment);
  file.push(found.text);
  await file.complete(found);
  return found;
}

/** An answer that was cut short or filtered has failed, also where outputs could be read from it. */
function makeOutputs(
  { content }: ExecutorHost,
  { text, call }: KeptAnswer,
  outputs: readonly OutputSpec[],
): Result<Made, AttemptFailure> {
  const { finish = '' } = call;
  if (finish === 'content-filter') return fail({ reason: 'answer-filtered', message: '', facts: { finish } });
  if (finish === 'tool-calls') return fail({ reason: 'answer-calls-tool', message: '', facts: { finish } });
  // `length`, or a word that only its provider knows: nothing but `stop` says that this is all of it.
  if (finish !== 'stop') return fail({ reason: 'answer-truncated', message: '', facts: { finish } });
  const values = partsOf(text, outputs);
  if (!values.ok) return values;
  const put = putValues(content, outputs, values.value);
  return put.ok ? ok({ outputs: put.value, response: content.put(Buffer.from(text)) }) : put;
}
