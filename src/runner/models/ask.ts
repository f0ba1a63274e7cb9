import { hashJson } from '../../base/hash.ts';
import { findCell } from '../../ledger/ledger.ts';
import type { ModelCall } from '../../model/definition.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import type { Account, Attempt } from '../attempt.ts';
import type { RunContext } from '../context.ts';
import { redactorOf } from '../redaction.ts';
import { answerBytesMax, type KeptAnswer, openAnswer } from './answer-files.ts';
import { costOfAnswer, recordOf } from './answered.ts';
import type { CallTrouble } from './client.ts';
import { noAnswer } from './no-answer.ts';
import type { PreparedCall } from './prepared-call.ts';
import { clientOf } from './providers.ts';
import { watchOver } from './watch.ts';

/** Asks, and writes down what comes as it comes. */
export async function ask(
  run: RunContext,
  attempt: Attempt,
  executor: ModelCall,
  call: PreparedCall,
  account: Account,
): Promise<KeptAnswer | AttemptFailure> {
  const client = await clientOf(run, executor.provider);
  if (!client.ok) return client.failure;
  // It may have waited for its turn until the run was ended: a request that is not sent costs nothing.
  if (run.interrupt.aborted) return { reason: 'command-killed', message: 'interrupted' };
  const redactor = redactorOf(run);
  const began = run.clock.monotonicMs();
  const elapsed = () => Math.round(run.clock.monotonicMs() - began);
  const watch = watchOver(run, attempt.phase.timeoutMs);
  const file = await openAnswer(run, attempt);
  let firstMs: number | undefined;
  let isTooLarge = false;
  const stream = redactor.stream((text) => file.push(text));
  account.isSent = true;
  const answered = await client.value
    .ask(
      {
        model: executor.model,
        system: call.system,
        turns: call.turns,
        parameters: executor.parameters,
        schema: call.schema,
        files: call.files,
        idempotencyKey: sendingKey(run, attempt, call),
        signal: watch.signal,
      },
      (piece) => {
        firstMs ??= elapsed();
        if (isTooLarge) return;
        stream.push(piece);
        isTooLarge = file.bytes > answerBytesMax;
        if (isTooLarge) watch.end();
      },
    )
    .finally(() => watch.over());
  // What is whole was paid for, also where somebody wants to end by now.
  if (!answered.ok || isTooLarge) {
    // What is held back may be the beginning of a secret: it is not written down.
    file.close();
    const trouble: CallTrouble = answered.ok ? brokeOff : answered.failure;
    return noAnswer(run, attempt, executor, account, {
      trouble,
      isTooLarge,
      isTimedOut: watch.isTimedOut(),
      ms: elapsed(),
    });
  }
  stream.end();
  const times = { ms: elapsed(), ...(firstMs !== undefined && { firstMs }) };
  const record = { ...recordOf(run, executor, answered.value), ...times };
  const cost = costOfAnswer(run, executor, call, answered.value);
  await file.complete({ key: call.key, prompt: call.prompt, call: record, cost });
  return { key: call.key, prompt: call.prompt, text: file.text, call: record, cost };
}

/** The same while the same call has brought no answer: after one, another attempt wants an answer of its own. */
function sendingKey(
  run: RunContext,
  { unit, phase, iteration, number }: Attempt,
  { key }: PreparedCall,
): string {
  const cell = findCell(run.ledger, unit.id, phase.name);
  const since = cell?.callSince ?? number;
  const parts = [run.ledger.run?.run ?? '', unit.id, phase.name, iteration, since, key];
  return hashJson(parts).slice('sha256:'.length, 'sha256:'.length + 32);
}

const brokeOff: CallTrouble = { kind: 'failed', failure: { reason: 'connection-lost', message: '' } };
