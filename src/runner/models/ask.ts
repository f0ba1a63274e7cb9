import { tokensIn } from '../../base/tokens.ts';
import { modelName } from '../../model/calls.ts';
import type { ModelCall } from '../../model/definition.ts';
import type { CallRecord, Cost } from '../../model/event.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import { costOf } from '../../pipeline/phases/prices.ts';
import type { AssignedCall, Assignment, KeptAnswer, WaitRequest } from '../executors/assignment.ts';
import type { ExecutorHost } from '../executors/host.ts';
import type { TaskInputs } from '../executors/input-file.ts';
import type { CallTrouble, ModelAnswer, ModelRequest } from '../executors/model-client.ts';
import { type Redactor, redactorFor } from '../redaction.ts';
import { answerBytesMax, openAnswer } from './answer-files.ts';
import { attachedBytes } from './attached-files.ts';
import { clientOf } from './providers.ts';

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
  // A whole answer was paid for, so it is kept also after an interrupt.
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

/** A call without an answer. */
export interface Unanswered {
  readonly failure: AttemptFailure;
  readonly wait?: WaitRequest | undefined;
  /** Undefined: it was not made. */
  readonly call?: CallRecord;
  readonly costs?: readonly Cost[];
  /** The request was sent, or may have been. */
  readonly isSent: boolean;
}

/** Why there is no answer: its time was over, the run was interrupted, the provider asks to wait, or it failed. */
function noAnswer(
  assignment: Assignment,
  host: ExecutorHost,
  executor: ModelCall,
  { provider }: AssignedCall,
  ended: {
    readonly trouble: CallTrouble;
    readonly isTooLarge: boolean;
    readonly isTimedOut: boolean;
    readonly ms: number;
  },
): Unanswered {
  const { trouble, isTooLarge, isTimedOut, ms } = ended;
  const model = modelName(executor);
  const call = { model, ms };
  const failed = (failure: AttemptFailure, more: Partial<Unanswered> = {}): Unanswered => {
    observeCall(host, assignment, executor, call, {}, failure.reason);
    return { failure, call, isSent: true, ...more };
  };
  if (isTooLarge)
    return failed({ reason: 'answer-too-large', message: '', facts: { limitBytes: answerBytesMax } });
  if (isTimedOut)
    return failed({ reason: 'timed-out', message: '', facts: { timeoutMs: assignment.phase.timeoutMs } });
  // Without secrets, and no more than anybody reads.
  const { redact } = redactorFor(assignment.redaction, host.process.variables);
  const clean = (text: string) => redact(text).slice(0, messageLengthMax);
  if (trouble.kind === 'failed') {
    const { reason, message, facts } = trouble.failure;
    const settings = provider.key === undefined ? {} : { key: provider.key };
    const failure = { reason, message: clean(message), facts: { model, ...settings, ...facts } };
    // Known to be nothing: otherwise a call whose end is not known counts as one that may have been paid.
    return failed(failure, trouble.isUnreached && { costs: [{ usd: 0 }] });
  }
  const { reason, waitMs } = trouble;
  const message = clean(trouble.message);
  return failed({ reason: 'server-error', message }, { wait: { reason, message, waitMs } });
}

const messageLengthMax = 2_000;

/** What is put on record of a call that was answered. */
function recordOf({ redact }: Redactor, executor: ModelCall, answer: ModelAnswer): Omit<CallRecord, 'ms'> {
  const { answered, request, finish, warnings = [] } = answer;
  return {
    model: modelName(executor),
    ...(answered !== undefined && { answered: redact(answered).slice(0, nameLengthMax) }),
    ...(request !== undefined && { request: redact(request).slice(0, nameLengthMax) }),
    finish: redact(finish).slice(0, nameLengthMax),
    ...(warnings.length > 0 && {
      warnings: warnings.slice(0, warningsMax).map((one) => redact(one).slice(0, nameLengthMax)),
    }),
  };
}

const warningsMax = 10;
const nameLengthMax = 300;

/** By the price that is known now: it is recorded, and later prices change nothing. */
function costOfAnswer(call: AssignedCall, answer: ModelAnswer): Cost {
  const usage = usageOf(answer, call);
  const { price } = call;
  return { ...(price !== undefined && { usd: costOf(price, usage) }), ...usage };
}

/** Tokens that the provider does not count, or counts impossibly, are estimated, because the call was paid for. */
function usageOf({ usage, text }: ModelAnswer, { inputTokens }: AssignedCall): Omit<Cost, 'usd'> {
  const counted = (count: number | undefined) =>
    count !== undefined && Number.isFinite(count) && count >= 0 && count <= tokensMax ? count : undefined;
  const names = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;
  const known = names.flatMap((name) => {
    const count = counted(usage[name]);
    return count === undefined ? [] : [[name, count] as const];
  });
  const isCounted = known.some(([name]) => name === 'inputTokens' || name === 'outputTokens');
  return isCounted ? Object.fromEntries(known) : { inputTokens, outputTokens: tokensIn(text) };
}

const tokensMax = 1e12;

/** The time that a call has. */
export interface Watch {
  readonly signal: AbortSignal;
  isTimedOut(): boolean;
  /** Ends the call. */
  end(): void;
  /** The call has ended. */
  over(): void;
}

/** A call ends when its time is over, or when the run is interrupted. */
function watchOver(
  { clock, interrupt }: Pick<ExecutorHost, 'clock' | 'interrupt'>,
  timeoutMs: number,
): Watch {
  const call = new AbortController();
  const timer = new AbortController();
  let timedOut = false;
  void clock.sleep(timeoutMs, AbortSignal.any([timer.signal, interrupt])).then(() => {
    if (timer.signal.aborted || interrupt.aborted) return;
    timedOut = true;
    call.abort();
  });
  return {
    signal: AbortSignal.any([call.signal, interrupt]),
    isTimedOut: () => timedOut,
    end: () => call.abort(),
    over: () => timer.abort(),
  };
}

/** Tells that a call has ended; `failure`: why there is no answer. */
export function observeCall(
  { progress }: Pick<ExecutorHost, 'progress'>,
  { unit, phase, attempt }: Assignment,
  { provider, model, parameters }: ModelCall,
  { answered, request, finish, ms, firstMs, reused }: CallRecord,
  { usd, ...usage }: Cost,
  failure: string | undefined,
): void {
  progress({
    type: 'call-ended',
    unit: unit.id,
    phase: phase.name,
    attempt,
    provider,
    model,
    answered,
    parameters,
    request,
    finish,
    ms,
    firstMs,
    usage,
    usd,
    failure,
    reused: reused !== undefined,
  });
}
