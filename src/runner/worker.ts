import type { Hash } from '../base/hash.ts';
import { fail, ok, type Result } from '../base/result.ts';
import { findCell } from '../ledger/ledger.ts';
import { addCost } from '../ledger/spent.ts';
import type { CallRecord, Cost, PhaseStarted } from '../model/event.ts';
import { asksModel } from '../model/executor.ts';
import type { AttemptFailure } from '../model/failure.ts';
import type { Account, Attempt, ReadyStep } from './attempt.ts';
import { type RunContext, record } from './context.ts';
import { execute } from './execute.ts';
import { isCutOff } from './executors/end-by-signal.ts';
import { releaseInputs } from './inputs.ts';
import { locateMissing } from './missing-output.ts';
import type { PreparedCall } from './models/prepared-call.ts';
import { type KeptOutputs, keepOutputs, promoteOutputs } from './outputs.ts';
import { nextNumber, prepareAttempt, startedEvent } from './prepare-attempt.ts';
import { takeEarlier } from './reuse-result.ts';

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
      readonly ms: number;
      /** What a model was sent and has answered. */
      readonly tokens: number;
    }
  | { readonly kind: 'interrupted' }
  /** A provider or the step itself asked to wait: the cell goes on by itself from then on. */
  | { readonly kind: 'paused'; readonly until: string }
  /** An earlier phase is done again first. */
  | { readonly kind: 'revised' };

/**
 * One attempt, from the record of its start to the promotion of its outputs. The order is the promise: started is
 * durable before anything is paid; the bytes are durable before the success that names them; the success is
 * durable before anybody sees the files. A crash between any two of these loses nothing that was acknowledged.
 */
export async function attemptCell(
  run: RunContext,
  step: ReadyStep,
  /** Told when the start is on record, with the call that is about to be made. */
  begun: (call?: PreparedCall) => void = () => undefined,
): Promise<AttemptOutcome> {
  const account: Account = { costs: [] };
  try {
    return await attempt(run, step, account, begun);
  } finally {
    account.release?.();
  }
}

async function attempt(
  run: RunContext,
  step: ReadyStep,
  account: Account,
  begun: (call?: PreparedCall) => void,
): Promise<AttemptOutcome> {
  const { unit, phase, iteration, why } = step;
  const at = { unit: unit.id, phase: phase.name, attempt: nextNumber(run, unit.id, phase.name) };
  const rounds = iteration > 1 ? { iteration } : {};
  const began = run.clock.monotonicMs();
  const elapsed = () => Math.round(run.clock.monotonicMs() - began);

  const prepared = await prepareAttempt(run, step, at.attempt);
  await record(run, startedEvent(run, step, at.attempt, prepared.ok ? prepared.value : {}));
  begun(prepared.ok ? prepared.value.call : undefined);
  run.observe({ type: 'attempt-started', ...at, iteration, why });

  const kept = prepared.ok ? await work(run, prepared.value, account) : prepared;
  if (prepared.ok) releaseInputs(prepared.value.taken);
  if (!kept.ok && (run.interrupt.aborted || account.isCutOff)) {
    const { cost } = spentOf(account);
    const isUnsent = prepared.ok && prepared.value.call !== undefined && !account.isSent;
    await record(run, {
      type: 'phase_interrupted',
      ...at,
      ...rounds,
      ms: elapsed(),
      ...(cost && { cost }),
      ...(isUnsent && { unsent: true }),
    });
    run.observe({ type: 'attempt-interrupted', ...at });
    return { kind: 'interrupted' };
  }
  if (!kept.ok) return await endWithout(run, { ...at, ...rounds }, kept.failure, account, elapsed());
  const spent = spentOf(account);
  const { outputs, verdict, judged, response } = kept.value;
  const before = findCell(run.ledger, unit.id, phase.name)?.placed;
  const ms = elapsed();
  await record(run, {
    type: 'phase_succeeded',
    ...at,
    ...rounds,
    outputs,
    ms,
    ...(verdict !== undefined && { verdict }),
    ...(judged !== undefined && { judged }),
    ...(response !== undefined && { response }),
    ...spent,
    ...account.from,
  });
  promoteOutputs(run, at, outputs, before);
  if (prepared.ok && asksModel(phase)) await noteForOthers(run, prepared.value, response, account);
  const reused = account.from?.reused ?? account.call?.reused;
  run.observe({
    type: 'attempt-succeeded',
    ...at,
    iteration,
    ms,
    verdict,
    judged,
    ...(reused !== undefined && { reused }),
  });
  return { kind: 'succeeded', tokens: tokensOf(spent.cost), ...(account.from && { reused: true }) };
}

/** Records why an attempt has no result: it has to wait, wants an earlier phase done again, or failed. */
async function endWithout(
  run: RunContext,
  at: Pick<PhaseStarted, 'unit' | 'phase' | 'attempt' | 'iteration'>,
  failure: AttemptFailure,
  account: Account,
  ms: number,
): Promise<AttemptOutcome> {
  const { reason, message, facts } = failure;
  const { pause, call } = account;
  const spent = spentOf(account);
  if (pause !== undefined) {
    const { cost } = spent;
    await record(run, {
      type: 'phase_paused',
      ...at,
      ...pause,
      ms,
      ...(call && { call }),
      ...(cost && { cost }),
    });
    const { unit, phase, attempt } = at;
    run.observe({
      type: 'attempt-paused',
      unit,
      phase,
      attempt,
      ms,
      reason: pause.reason,
      until: pause.until,
    });
    return { kind: 'paused', until: pause.until };
  }
  if (reason === 'revision-requested') {
    const to = String(facts?.to ?? '');
    const { cost } = spent;
    await record(run, { type: 'revision_requested', ...at, to, reason: message, ms, ...(cost && { cost }) });
    return { kind: 'revised' };
  }
  await record(run, {
    type: 'phase_failed',
    ...at,
    reason,
    message: message.slice(0, messageLengthMax),
    ms,
    ...(facts && { facts }),
    ...spent,
  });
  return { kind: 'failed', failure, ms, tokens: tokensOf(spent.cost) };
}

export const messageLengthMax = 4_000;

async function work(
  run: RunContext,
  attempt: Attempt,
  account: Account,
): Promise<Result<KeptOutputs, AttemptFailure>> {
  const earlier = run.earlier === undefined ? undefined : await takeEarlier(run, attempt);
  if (earlier !== undefined) {
    account.from = earlier.from;
    return ok(earlier.kept);
  }
  const produced = await execute(run, attempt, account);
  if (run.interrupt.aborted && !produced.ok)
    return fail({ reason: 'command-killed', message: 'interrupted' });
  if (!produced.ok) account.isCutOff = await isCutOff(run, produced.failure);
  if (!produced.ok) return produced;
  const kept = await keepOutputs(run, attempt, produced.value);
  return kept.ok ? kept : fail(locateMissing(run, attempt, kept.failure));
}

/** What was called and what it cost, as an event says it. */
function spentOf({ costs, call }: Account): { call?: CallRecord; cost?: Cost } {
  const cost = costs.reduce<Cost | undefined>(addCost, undefined);
  return { ...(call !== undefined && { call }), ...(cost !== undefined && { cost }) };
}

function tokensOf(cost: Cost | undefined): number {
  return (cost?.inputTokens ?? 0) + (cost?.outputTokens ?? 0);
}

/** The same call is answered by this from now on, where its phase wants that. */
async function noteForOthers(
  run: RunContext,
  { unit, phase, number, call }: Attempt,
  response: Hash | undefined,
  account: Account,
): Promise<void> {
  if (!asksModel(phase) || phase.executor.reuse !== 'content') return;
  if (call === undefined || response === undefined || account.call === undefined) return;
  if (account.call.reused !== undefined) return;
  const { noteAnswer } = await import('./models/answer-index.ts');
  const source = `${run.ledger.run?.run ?? ''} ${unit.id}/${phase.name}#${number}`;
  const cost = account.costs.reduce<Cost | undefined>(addCost, undefined) ?? {};
  noteAnswer(run, call.resultKey, { source, response, call: account.call, cost });
}
