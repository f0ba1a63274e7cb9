import type { Hash } from '../../base/hash.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { findStep } from '../../ledger/ledger.ts';
import { addCost } from '../../ledger/spent.ts';
import type { AttemptStarted, AttemptSucceeded, CallRecord, Cost, StoredEvent } from '../../model/event.ts';
import { asksModel } from '../../model/executor.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import { type RunContext, record } from '../context.ts';
import { execute } from '../execute.ts';
import type { ExecutorReport, PreparedCall } from '../executors/assignment.ts';
import { releaseInputs } from '../executors/input-file.ts';
import { promoteOutputs } from '../promotion.ts';
import { observeRecorded } from '../recorded-progress.ts';
import { assign } from './assign.ts';
import type { Attempt, ReadyStep, Reused } from './attempt.ts';
import type { EarlierAnswer } from './earlier-answers.ts';
import { isCutOff, locateMissing, revisionFailure } from './failure.ts';
import { AttemptContent, LocalHost } from './local-host.ts';
import { type KeptOutputs, keepOutputs, takeEarlier } from './outputs.ts';
import { nextNumber, prepareAttempt, startedEvent } from './prepare.ts';
import { type Pause, pauseFor } from './waits.ts';

export type AttemptOutcome =
  | {
      readonly kind: 'succeeded';
      readonly tokens: number;
      /** The result of another run was taken. */
      readonly reused?: true;
    }
  | {
      readonly kind: 'failed';
      readonly failure: AttemptFailure;
      readonly recorded: readonly StoredEvent[];
      /** What a model was sent and has answered. */
      readonly tokens: number;
    }
  | { readonly kind: 'interrupted' }
  /** A provider or the step itself asked to wait: the step resumes by itself at that time. */
  | { readonly kind: 'paused'; readonly until: string }
  /** An earlier phase runs again first. */
  | { readonly kind: 'revised' };

/**
 * Carries out one attempt. The order is the promise, so that a crash between any two of these steps loses nothing that was
 * acknowledged:
 *
 * 1. The inputs, the prompt and the call are prepared; nothing has cost anything yet.
 * 2. The start is recorded, durably, before anything is paid.
 * 3. The executor runs. What it made is checked, staged, and put into the content store.
 * 4. The result is recorded: `record` makes the bytes durable, then the event, then looks for a newer owner of the run
 *    (the fence). Only then has the attempt succeeded.
 * 5. The outputs get their names. Projections follow, after the attempt.
 */
export async function runAttempt(
  run: RunContext,
  step: ReadyStep,
  /** Called when the start is on record, with the call that is about to be made. */
  begun: (call?: PreparedCall) => void = () => undefined,
): Promise<AttemptOutcome> {
  const { unit, phase, round } = step;
  const at = { unit: unit.id, phase: phase.name, attempt: nextNumber(run, unit.id, phase.name) };
  const began = run.clock.monotonicMs();
  const elapsed = () => Math.round(run.clock.monotonicMs() - began);

  const prepared = await prepareAttempt(run, step, at.attempt);
  const attempt = prepared.ok ? prepared.value : undefined;
  const started = await record(run, startedEvent(run, step, at.attempt, attempt ?? {}));
  begun(attempt?.call);
  observeRecorded(run, started);

  const execution = new Execution(run);
  try {
    const kept = prepared.ok ? await execution.executeAndCheck(prepared.value) : prepared;
    if (prepared.ok) releaseInputs(prepared.value.taken);
    const about = { ...at, ...(round > 1 && { round: round }) };
    if (!kept.ok) return await recordFailure(run, about, attempt, kept.failure, execution, elapsed());

    const before = findStep(run.ledger, unit.id, phase.name)?.placed;
    const recorded = await record(run, succeededEvent(about, kept.value, execution, elapsed()));
    promoteOutputs(run, at, kept.value.outputs, before);
    if (attempt !== undefined) await noteForOthers(run, attempt, kept.value.response, execution);
    observeRecorded(run, recorded);
    const { spent, from } = execution;
    return { kind: 'succeeded', tokens: tokensOf(spent.cost), ...(from && { reused: true }) };
  } finally {
    execution.release();
  }
}

/** The execution of one attempt, and what is recorded of it besides its outputs. */
class Execution {
  readonly #run: RunContext;
  #answer: EarlierAnswer | undefined;
  #report: ExecutorReport | undefined;
  /** A provider or the step itself asked to wait: the attempt has not failed. */
  pause: Pause | undefined;
  /** The signal that stops this invocation ended the attempt too. */
  isCutOff = false;
  /** The result of another run that was taken instead of running the step. */
  from: Reused | undefined;

  constructor(run: RunContext) {
    this.#run = run;
  }

  async executeAndCheck(attempt: Attempt): Promise<Result<KeptOutputs, AttemptFailure>> {
    const run = this.#run;
    const earlier = run.earlier === undefined ? undefined : await takeEarlier(run, attempt);
    if (earlier !== undefined) {
      this.from = earlier.from;
      return ok(earlier.kept);
    }
    const content = new AttemptContent(run.store);
    this.#answer = await earlierAnswerOf(run, attempt);
    const report = await execute(assign(run, attempt), new LocalHost(run, attempt, content, this.#answer));
    this.#report = report;
    if (report.wait !== undefined) this.pause = pauseFor(run, attempt, report.wait);
    if (report.outcome.ok) {
      const kept = await keepOutputs(run, attempt, report.outcome.value, content);
      return kept.ok ? kept : fail(locateMissing(run, attempt, kept.failure));
    }
    if (run.interrupt.aborted) return fail({ reason: 'command-killed', message: 'interrupted' });
    const { revision, outcome } = report;
    const failure = revision === undefined ? outcome.failure : revisionFailure(run, attempt, revision);
    this.isCutOff = await isCutOff(run, failure);
    return fail(locateMissing(run, attempt, failure));
  }

  /** What was called and what it cost, as an event says it. */
  get spent(): { call?: CallRecord; cost?: Cost } {
    const { call, costs = [] } = this.#report ?? {};
    const cost = costs.reduce<Cost | undefined>(addCost, undefined);
    return { ...(call !== undefined && { call }), ...(cost !== undefined && { cost }) };
  }

  /** The request of its call was sent, or may have been. */
  get isSent(): boolean {
    return this.#report?.isSent === true;
  }

  /** The attempt is on record: others who make the same call may continue, and know why this one has no answer. */
  release(): void {
    const { outcome, isAnswered } = this.#report ?? {};
    const failure = outcome?.ok === false && !isAnswered ? outcome.failure : undefined;
    this.#answer?.release(failure && { failure, pause: this.pause });
  }
}

/** Only models are asked, and what knows of their answers is loaded by those who ask one. */
async function earlierAnswerOf(run: RunContext, attempt: Attempt): Promise<EarlierAnswer | undefined> {
  const { phase, call } = attempt;
  if (!asksModel(phase) || call === undefined) return undefined;
  const { EarlierAnswer } = await import('./earlier-answers.ts');
  return new EarlierAnswer(run, attempt, phase.executor, call);
}

type About = Pick<AttemptStarted, 'unit' | 'phase' | 'attempt' | 'round'>;

function succeededEvent(
  about: About,
  { outputs, verdict, judged, response }: KeptOutputs,
  { spent, from }: Execution,
  ms: number,
): AttemptSucceeded {
  return {
    type: 'attempt_succeeded',
    ...about,
    outputs,
    ms,
    ...(verdict !== undefined && { verdict }),
    ...(judged !== undefined && { judged }),
    ...(response !== undefined && { response }),
    ...spent,
    ...from,
  };
}

/** Records why an attempt has no result: it was interrupted, has to wait, wants an earlier phase to run again, or failed. */
async function recordFailure(
  run: RunContext,
  about: About,
  attempt: Attempt | undefined,
  failure: AttemptFailure,
  execution: Execution,
  ms: number,
): Promise<AttemptOutcome> {
  const { reason, message, facts } = failure;
  const { pause, spent } = execution;
  const { call, cost } = spent;
  if (run.interrupt.aborted || execution.isCutOff) {
    const unsent = attempt?.call !== undefined && !execution.isSent ? { unsent: true as const } : {};
    const event = { type: 'attempt_interrupted', ...about, ms, ...(cost && { cost }), ...unsent } as const;
    observeRecorded(run, await record(run, event));
    return { kind: 'interrupted' };
  }
  if (pause !== undefined) {
    const calls = { ...(call && { call }), ...(cost && { cost }) };
    observeRecorded(run, await record(run, { type: 'attempt_paused', ...about, ...pause, ms, ...calls }));
    return { kind: 'paused', until: pause.until };
  }
  if (reason === 'revision-requested') {
    const to = String(facts?.to ?? '');
    await record(run, {
      type: 'revision_requested',
      ...about,
      to,
      reason: message,
      ms,
      ...(cost && { cost }),
    });
    return { kind: 'revised' };
  }
  const recorded = await record(run, {
    type: 'attempt_failed',
    ...about,
    reason,
    message: message.slice(0, messageLengthMax),
    ms,
    ...(facts && { facts }),
    ...spent,
  });
  return { kind: 'failed', failure, recorded, tokens: tokensOf(cost) };
}

export const messageLengthMax = 4_000;

function tokensOf(cost: Cost | undefined): number {
  return (cost?.inputTokens ?? 0) + (cost?.outputTokens ?? 0);
}

/** The same call is answered by this from now on, where its phase wants that. */
async function noteForOthers(
  run: RunContext,
  { unit, phase, number, call: asked }: Attempt,
  response: Hash | undefined,
  { spent: { call, cost = {} } }: Execution,
): Promise<void> {
  if (!asksModel(phase) || phase.executor.reuse !== 'content') return;
  if (asked === undefined || response === undefined || call === undefined || call.reused !== undefined)
    return;
  const { noteAnswer } = await import('./answer-index.ts');
  const source = `${run.ledger.run?.run ?? ''} ${unit.id}/${phase.name}#${number}`;
  noteAnswer(run, asked.resultKey, { source, response, call, cost });
}
