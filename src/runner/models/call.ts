import { formatTime } from '../../base/clock.ts';
import { hashJson } from '../../base/hash.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { tokensIn } from '../../base/tokens.ts';
import { findCell } from '../../ledger/ledger.ts';
import { isFinal } from '../../model/attempt-failure.ts';
import { modelName } from '../../model/calls.ts';
import type { ModelCall } from '../../model/definition.ts';
import type { CallRecord, Cost, PauseReason } from '../../model/event.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import { costOf, priceOf } from '../../pipeline/phases/prices.ts';
import type { Account, Attempt, Produced } from '../assignment.ts';
import { attemptFolder, folderOf, inWorkspace, type RunContext } from '../context.ts';
import { redactorOf } from '../redaction.ts';
import { AnswerFile, answerBytesMax, type KeptAnswer, readAnswer } from './answer-files.ts';
import { findAnswer } from './answer-index.ts';
import type { CallTrouble, ModelAnswer } from './client.ts';
import { takeTurn } from './in-flight.ts';
import { partsOf } from './parts.ts';
import type { PreparedCall } from './prepared-call.ts';
import { clientOf } from './providers.ts';

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
  observe(run, attempt, executor, kept.call, kept.cost, undefined);
  return madeOf(attempt, kept);
}

/** An answer that ended before its end, or was kept back, is none, whatever can be read in it. */
function madeOf(attempt: Attempt, { text, call }: KeptAnswer): Result<Produced, AttemptFailure> {
  const { finish = '' } = call;
  if (finish === 'content-filter') return fail({ reason: 'answer-filtered', message: '', facts: { finish } });
  // `length`, or a word that only its provider knows: nothing but `stop` says that this is all of it.
  if (finish !== 'stop') return fail({ reason: 'answer-truncated', message: '', facts: { finish } });
  const values = partsOf(text, attempt.phase.outputs);
  if (!values.ok) return values;
  return ok({ response: text, outputs: { kind: 'values', values: values.value } });
}

/** The answer of an attempt right before, which had arrived when it was cut off. */
async function takeOver(
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

/** Whoever has sent something back wants another answer, and not the same again. */
function wantsAnother(run: RunContext, { unit, phase, iteration }: Attempt): boolean {
  const cell = findCell(run.ledger, unit.id, phase.name);
  if (iteration > 1 || cell?.failure !== undefined) return true;
  return cell?.superseded?.because === 'rerun-requested' || (cell?.feedback?.length ?? 0) > 0;
}

/** What was answered to the same call before. */
async function reuse(
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

/** Puts an answer that is already there into the attempt's own folder: whoever takes this attempt over finds it. */
async function keep(run: RunContext, attempt: Attempt, answer: KeptAnswer): Promise<KeptAnswer> {
  const file = await AnswerFile.open(run.disk, folderOf(run, attempt), isDurable(run));
  file.push(answer.text);
  await file.complete(answer);
  return answer;
}

function isDurable({ loaded }: RunContext): boolean {
  return loaded.pipeline.durability === 'power';
}

async function ask(
  run: RunContext,
  attempt: Attempt,
  executor: ModelCall,
  call: PreparedCall,
  account: Account,
): Promise<KeptAnswer | AttemptFailure> {
  const client = await clientOf(run, executor.provider);
  if (!client.ok) return client.failure;
  const redactor = redactorOf(run);
  const began = run.clock.monotonicMs();
  const elapsed = () => Math.round(run.clock.monotonicMs() - began);
  const watch = watchOver(run, attempt.phase.timeoutMs);
  const file = await AnswerFile.open(run.disk, folderOf(run, attempt), isDurable(run));
  let firstMs: number | undefined;
  let isTooLarge = false;
  const stream = redactor.stream((text) => file.push(text));
  const answered = await client.value
    .ask(
      {
        model: executor.model,
        system: call.system,
        turns: call.turns,
        parameters: executor.parameters,
        schema: call.schema,
        files: call.files,
        idempotencyKey: idempotencyKey(run, attempt, call),
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
    return noAnswer(run, attempt, executor, account, { trouble, isTooLarge, watch, ms: elapsed() });
  }
  stream.end();
  const times = { ms: elapsed(), ...(firstMs !== undefined && { firstMs }) };
  const record = { ...recordOf(run, executor, answered.value), ...times };
  const usage = usageOf(answered.value, call);
  const cost = costOfCall(run, executor, usage);
  await file.complete({ key: call.key, prompt: call.prompt, call: record, cost });
  return { key: call.key, prompt: call.prompt, text: file.text, call: record, cost };
}

/** The same only for a call that is made again because it was cut off: any other attempt wants an answer of its own. */
function idempotencyKey(
  run: RunContext,
  { unit, phase, iteration, number }: Attempt,
  { key }: PreparedCall,
): string {
  const cell = findCell(run.ledger, unit.id, phase.name);
  const ended = number - (cell?.unended?.length ?? 0);
  const parts = [run.ledger.run?.run ?? '', unit.id, phase.name, iteration, ended, key];
  return hashJson(parts).slice('sha256:'.length, 'sha256:'.length + 32);
}

const brokeOff: CallTrouble = { kind: 'failed', failure: { reason: 'connection-lost', message: '' } };

/** Why there is no answer: its time was over, somebody ended it, the provider asks to wait, or it failed. */
function noAnswer(
  run: RunContext,
  attempt: Attempt,
  executor: ModelCall,
  account: Account,
  ended: {
    readonly trouble: CallTrouble;
    readonly isTooLarge: boolean;
    readonly watch: Watch;
    readonly ms: number;
  },
): AttemptFailure {
  const { trouble, isTooLarge, watch, ms } = ended;
  const model = modelName(executor);
  account.call = { model, ms };
  const failed = (failure: AttemptFailure): AttemptFailure => {
    observe(run, attempt, executor, { model, ms }, {}, failure.reason);
    return failure;
  };
  if (isTooLarge)
    return failed({ reason: 'answer-too-large', message: '', facts: { limitBytes: answerBytesMax } });
  if (watch.isTimedOut())
    return failed({ reason: 'timed-out', message: '', facts: { timeoutMs: attempt.phase.timeoutMs } });
  if (trouble.kind === 'failed') {
    const { reason, message, facts } = trouble.failure;
    const settings = providerFacts(run, executor);
    const clean = cleanWords(run, message);
    return failed({ reason, message: clean, facts: { model, ...settings, ...facts } });
  }
  const { reason, waitMs } = trouble;
  const times = findCell(run.ledger, attempt.unit.id, attempt.phase.name)?.paused?.times ?? 0;
  const pauseMs = pauseFor(reason, waitMs, times);
  const message = cleanWords(run, trouble.message);
  account.pause = { reason, message, until: formatTime(run.clock.now() + pauseMs) };
  return failed({ reason: 'server-error', message });
}

/** What a provider said, without secrets, and no more than anybody reads. */
function cleanWords(run: RunContext, message: string): string {
  return redactorOf(run).redact(message).slice(0, messageLengthMax);
}

const messageLengthMax = 2_000;

/** A quota without a word of when it is renewed is asked about again after so long. */
const quotaWaitMs = 60 * 60_000;
const backoffMsFirst = 1000;
const backoffMsMax = 60_000;

/** As long as the provider says; and longer each time, when it says so again and again. */
function pauseFor(reason: PauseReason, waitMs: number | undefined, times: number): number {
  if (waitMs !== undefined) return times === 0 ? waitMs : Math.max(waitMs, backoff(times - 1));
  return reason === 'quota' ? quotaWaitMs : backoff(times);
}

/** Longer each time, and never the same for two who were turned away together. */
function backoff(times: number): number {
  const ms = Math.min(backoffMsFirst * 2 ** times, backoffMsMax);
  return Math.round(ms * (0.5 + Math.random() / 2));
}

function providerFacts({ loaded }: RunContext, { provider }: ModelCall): { key?: string } {
  const key = loaded.pipeline.models.providers.find(({ name }) => name === provider)?.key;
  return key === undefined ? {} : { key };
}

interface Watch {
  readonly signal: AbortSignal;
  isTimedOut(): boolean;
  /** Ends the call. */
  end(): void;
  /** The call has ended. */
  over(): void;
}

/** A call ends when its time is over, or when somebody ends the run. */
function watchOver(run: RunContext, timeoutMs: number): Watch {
  const call = new AbortController();
  const timer = new AbortController();
  let timedOut = false;
  void run.clock.sleep(timeoutMs, AbortSignal.any([timer.signal, run.interrupt])).then(() => {
    if (timer.signal.aborted || run.interrupt.aborted) return;
    timedOut = true;
    call.abort();
  });
  return {
    signal: AbortSignal.any([call.signal, run.interrupt]),
    isTimedOut: () => timedOut,
    end: () => call.abort(),
    over: () => timer.abort(),
  };
}

function recordOf(run: RunContext, executor: ModelCall, answer: ModelAnswer): Omit<CallRecord, 'ms'> {
  const { redact } = redactorOf(run);
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

/** What the provider does not count, or counts as nobody can, is estimated: it was paid for all the same. */
function usageOf({ usage, text }: ModelAnswer, { inputTokens }: PreparedCall): Omit<Cost, 'usd'> {
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

/** By the price that is known now: it is recorded, and later prices change nothing. */
function costOfCall({ loaded }: RunContext, executor: ModelCall, usage: Omit<Cost, 'usd'>): Cost {
  const price = priceOf(loaded.pipeline.models, modelName(executor));
  return { ...(price !== undefined && { usd: costOf(price, usage) }), ...usage };
}

function observe(
  run: RunContext,
  { unit, phase, number }: Attempt,
  { provider, model, parameters }: ModelCall,
  { answered, request, finish, ms, firstMs, reused }: CallRecord,
  { usd, ...usage }: Cost,
  failure: string | undefined,
): void {
  run.observe({
    type: 'call-ended',
    unit: unit.id,
    phase: phase.name,
    attempt: number,
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
