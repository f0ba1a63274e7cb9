import { findCell } from '../../ledger/ledger.ts';
import { isFinal } from '../../model/attempt-failure.ts';
import { modelName } from '../../model/calls.ts';
import type { ModelCall } from '../../model/definition.ts';
import type { CallRecord } from '../../model/event.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import type { Account, Attempt } from '../assignment.ts';
import { attemptFolder, inWorkspace, type RunContext } from '../context.ts';
import { type KeptAnswer, openAnswer, readAnswer } from './answer-files.ts';
import { findAnswer } from './answer-index.ts';
import { takeTurn } from './in-flight.ts';
import type { PreparedCall } from './prepared-call.ts';

/** The answer of an attempt right before, which had arrived when it was cut off. */
export async function takeOver(
  run: RunContext,
  attempt: Attempt,
  call: PreparedCall,
): Promise<KeptAnswer | undefined> {
  const { unit, phase } = attempt;
  const unended = findCell(run.ledger, unit.id, phase.name)?.unended ?? [];
  for (const { attempt: number } of unended) {
    const left = readAnswer(run.disk, inWorkspace(run, attemptFolder(run, unit.id, phase.name, number)));
    if (left === undefined || left.key !== call.key) continue;
    return await keep(run, attempt, { ...left, call: { ...left.call, adopted: number } });
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
  if (executor.reuse !== 'content' || run.noReuse || wantsAnother(run, attempt)) return undefined;
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

/** Whoever has sent something back wants another answer, and not the same again. */
function wantsAnother(run: RunContext, { unit, phase, iteration }: Attempt): boolean {
  const cell = findCell(run.ledger, unit.id, phase.name);
  if (iteration > 1 || cell?.failure !== undefined) return true;
  return cell?.superseded?.because === 'rerun-requested' || (cell?.feedback?.length ?? 0) > 0;
}

/** Puts an answer that is already there into the attempt's own folder: whoever takes this attempt over finds it. */
async function keep(run: RunContext, attempt: Attempt, answer: KeptAnswer): Promise<KeptAnswer> {
  const file = await openAnswer(run, attempt);
  file.push(answer.text);
  await file.complete(answer);
  return answer;
}
