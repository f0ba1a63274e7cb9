import { ok, type Result } from '../../base/result.ts';
import { findCell } from '../../ledger/ledger.ts';
import { isFinal } from '../../model/attempt-failure.ts';
import { modelName } from '../../model/calls.ts';
import type { ModelCall } from '../../model/definition.ts';
import type { CallRecord } from '../../model/event.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import type { Account, Attempt, ReadyStep } from '../attempt.ts';
import { attemptFolder, inWorkspace, type RunContext } from '../context.ts';
import { wantsAnother } from '../wants-another.ts';
import { type KeptAnswer, openAnswer, readAnswer } from './answer-files.ts';
import { findAnswer } from './answer-index.ts';
import { takeTurn } from './in-flight.ts';
import type { PreparedCall } from './prepared-call.ts';
import { clientOf } from './providers.ts';

/** Loads what asks the provider, unless the call has an answer already. */
export async function reachProvider(
  run: RunContext,
  step: ReadyStep,
  executor: ModelCall,
  call: PreparedCall,
): Promise<Result<undefined, AttemptFailure>> {
  const isAnswered =
    leftAnswer(run, step, call) !== undefined ||
    (mayReuse(run, step, executor) && findAnswer(run, call.resultKey) !== undefined);
  if (isAnswered) return ok(undefined);
  const client = await clientOf(run, executor.provider);
  return client.ok ? ok(undefined) : client;
}

/** The answer of an attempt right before, which had arrived when it was cut off. */
export async function takeOver(
  run: RunContext,
  attempt: Attempt,
  call: PreparedCall,
): Promise<KeptAnswer | undefined> {
  const left = leftAnswer(run, attempt, call);
  return left && (await keep(run, attempt, left));
}

function leftAnswer(
  run: RunContext,
  { unit, phase }: ReadyStep,
  { key }: PreparedCall,
): KeptAnswer | undefined {
  const cell = findCell(run.ledger, unit.id, phase.name);
  // Before its start is on record, the attempt that was cut off is the one that is on record as running.
  const running = cell?.running?.call === undefined ? [] : [cell.running];
  for (const { attempt } of [...running, ...(cell?.unended ?? [])]) {
    const left = readAnswer(run.disk, inWorkspace(run, attemptFolder(run, unit.id, phase.name, attempt)));
    if (left?.key === key) return { ...left, call: { ...left.call, adopted: attempt } };
  }
  return undefined;
}

/** What was answered to the same call before. */
export async function reuse(
  run: RunContext,
  attempt: Attempt,
  executor: ModelCall,
  call: PreparedCall,
  account: Account,
): Promise<KeptAnswer | AttemptFailure | undefined> {
  if (!mayReuse(run, attempt, executor)) return undefined;
  const turn = await takeTurn(run.ledger, call.resultKey);
  account.release = () => turn.end(account.noAnswer);
  const { before } = turn;
  // What has turned away the one before would turn away all of them.
  if (before !== undefined && (before.pause !== undefined || isFinal(before.failure.reason))) {
    account.call = { model: modelName(executor), ms: 0 };
    if (before.pause !== undefined) account.pause = before.pause;
    return before.failure;
  }
  const known = findAnswer(run, call.resultKey);
  if (known === undefined) return undefined;
  const { answered, request, finish } = known.call;
  const record: CallRecord = {
    model: modelName(executor),
    ...(answered !== undefined && { answered }),
    ...(request !== undefined && { request }),
    ...(finish !== undefined && { finish }),
    ms: 0,
    reused: known.source,
    saved: known.cost,
  };
  const { key, prompt } = call;
  return await keep(run, attempt, { key, prompt, text: known.text, call: record, cost: {} });
}

function mayReuse(run: RunContext, step: ReadyStep, { reuse }: ModelCall): boolean {
  return reuse === 'content' && !run.noReuse && !wantsAnother(run, step);
}

/** Puts an answer that is already there into the attempt's own folder: whoever takes this attempt over finds it. */
async function keep(run: RunContext, attempt: Attempt, answer: KeptAnswer): Promise<KeptAnswer> {
  const file = await openAnswer(run, attempt);
  file.push(answer.text);
  await file.complete(answer);
  return answer;
}
