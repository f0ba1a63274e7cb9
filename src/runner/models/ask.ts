import type { ModelCall } from '../../model/definition.ts';
import type { AssignedCall, Assignment, KeptAnswer } from '../assignment.ts';
import type { ExecutorHost } from '../executor-host.ts';
import type { TaskInputs } from '../input-file.ts';
import { redactorFor } from '../redaction.ts';
import { answerBytesMax, openAnswer } from './answer-files.ts';
import { costOfAnswer, recordOf } from './answered.ts';
import { attachedBytes } from './attached-file.ts';
import type { CallTrouble, ModelRequest } from './client.ts';
import { noAnswer, type Unanswered } from './no-answer.ts';
import { clientOf } from './providers.ts';
import { watchOver } from './watch.ts';

/** Asks, and writes down what comes as it comes. */
export async function ask(
  assignment: Assignment,
  host: ExecutorHost,
  executor: ModelCall,
  call: AssignedCall,
  inputs: TaskInputs,
): Promise<KeptAnswer | Unanswered> {
  const client = await clientOf(host, call.provider);
  if (!client.ok) return { failure: client.failure, isSent: false };
  // It may have waited for its turn until the run was ended: a request that is not sent costs nothing.
  if (host.interrupt.aborted)
    return { failure: { reason: 'command-killed', message: 'interrupted' }, isSent: false };
  const redactor = redactorFor(assignment.redaction, host.process.variables);
  const began = host.clock.monotonicMs();
  const elapsed = () => Math.round(host.clock.monotonicMs() - began);
  const watch = watchOver(host, assignment.phase.timeoutMs);
  const file = await openAnswer(host, assignment);
  let firstMs: number | undefined;
  let isTooLarge = false;
  const stream = redactor.stream((text) => file.push(text));
  const request: ModelRequest = {
    model: executor.model,
    system: call.system,
    turns: call.turns,
    parameters: executor.parameters,
    schema: call.schema,
    files: call.files.map(({ name, mediaType }) => ({
      name,
      mediaType,
      bytes: () => attachedBytes({ name, mediaType }, inputs, redactor),
    })),
    idempotencyKey: call.idempotencyKey,
    signal: watch.signal,
  };
  const answered = await client.value
    .ask(request, (piece) => {
      firstMs ??= elapsed();
      if (isTooLarge) return;
      stream.push(piece);
      isTooLarge = file.bytes > answerBytesMax;
      if (isTooLarge) watch.end();
    })
    .finally(() => watch.over());
  // What is whole was paid for, also where somebody wants to end by now.
  if (!answered.ok || isTooLarge) {
    // What is held back may be the beginning of a secret: it is not written down.
    file.close();
    const trouble: CallTrouble = answered.ok ? brokeOff : answered.failure;
    const ended = { trouble, isTooLarge, isTimedOut: watch.isTimedOut(), ms: elapsed() };
    return noAnswer(assignment, host, executor, call, ended);
  }
  stream.end();
  const times = { ms: elapsed(), ...(firstMs !== undefined && { firstMs }) };
  const record = { ...recordOf(redactor, executor, answered.value), ...times };
  const cost = costOfAnswer(call, answered.value);
  await file.complete({ key: call.key, prompt: call.prompt, call: record, cost });
  return { key: call.key, prompt: call.prompt, text: file.text, call: record, cost };
}

const brokeOff: CallTrouble = { kind: 'failed', failure: { reason: 'connection-lost', message: '' } };
