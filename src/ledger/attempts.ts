import type {
  AttemptInterrupted,
  AttemptPaused,
  AttemptStarted,
  Judgement,
  LeaseRenewed,
} from '../model/event.ts';
import { noteCut, startCounting } from './cuts.ts';
import { noteUnsent } from './doubt.ts';
import type { Ledger, RunningAttempt, Step } from './ledger.ts';

/** Whether the event speaks of this attempt, and comes from whoever claimed it. */
export function isOf(
  running: RunningAttempt | undefined,
  { attempt, actor }: { readonly attempt: number; readonly actor: string },
): boolean {
  if (running?.attempt !== attempt) return false;
  return running.claim === undefined || running.claim.actor === actor;
}

/**
 * False: a claim that came too late. Two actors may have been given the same number by two branches of a run that were
 * merged later: the first one has it, in whatever order their logs are read.
 */
export function startAttempt(
  ledger: Ledger,
  step: Step,
  event: AttemptStarted & { at: string; actor: string },
): boolean {
  const attempt: RunningAttempt = {
    attempt: event.attempt,
    round: event.round ?? 1,
    revision: event.revision,
    unitData: event.unitData,
    ...(event.unitFile !== undefined && { unitFile: event.unitFile }),
    inputs: event.inputs,
    preState: event.preState,
    prompt: event.prompt,
    ...(event.feedback !== undefined && { feedback: event.feedback }),
    at: event.at,
    process: undefined,
    ...(event.call !== undefined && { call: event.call }),
    claim: event.lease === undefined ? undefined : { actor: event.actor, until: event.lease, begun: false },
  };
  if (event.lease !== undefined && event.attempt <= step.attempts) {
    const isOpen = step.running?.attempt === event.attempt;
    if (isOpen) step.rivals = [...(step.rivals ?? []), attempt];
    return false;
  }
  step.attempts = Math.max(step.attempts, event.attempt);
  if (step.running !== undefined) noteUnended(step, step.running);
  noteCut(ledger, step);
  startCounting(ledger, step, event);
  if (event.call !== undefined) step.callSince ??= event.attempt;
  step.running = attempt;
  if (step.rivals !== undefined) delete step.rivals;
  return true;
}

/**
 * The attempt that an event speaks of; of several under one number that of the event's own actor. What `pawl repair` records
 * again comes from the runner, whoever had claimed the attempt.
 */
export function attemptOf(
  { running, rivals }: Step,
  event: { readonly attempt: number; readonly actor: string; readonly repaired?: boolean },
): RunningAttempt | undefined {
  if (event.repaired === true && running?.attempt === event.attempt) return running;
  return isOf(running, event) ? running : rivals?.find((rival) => isOf(rival, event));
}

/** What a gate makes of a round stays on record, whatever becomes of the result. */
export function noteJudgement(step: Step, attempt: number, judged: Judgement): void {
  const others = (step.judgements ?? []).filter((one) => one.attempt !== attempt);
  step.judgements = [...others, { attempt, ...judged }]
    .sort((a, b) => a.attempt - b.attempt)
    .slice(-judgementsMax);
}

const judgementsMax = 100;

/** Nothing has failed: it uses up no attempt, and whatever had failed before is as it was. */
export function pauseAttempt(step: Step, event: AttemptPaused): void {
  step.attempts = Math.max(step.attempts, event.attempt);
  const prompt = step.running?.attempt === event.attempt ? step.running.prompt : undefined;
  if (step.running?.attempt === event.attempt) step.running = undefined;
  const { attempt, reason, message, until } = event;
  if (step.cuts !== undefined) delete step.cuts;
  const times = (step.paused?.times ?? 0) + 1;
  step.paused = { attempt, ...(prompt && { prompt }), reason, message, until, times };
}

/** False: no such attempt is under way. */
export function interruptAttempt(
  ledger: Ledger,
  step: Step,
  event: AttemptInterrupted & { actor: string },
): boolean {
  if (!isOf(step.running, event)) return false;
  if (event.unsent) noteUnsent(ledger, event.phase, step.running?.call);
  else if (step.running !== undefined) noteUnended(step, step.running);
  // Only the actor that has a claim writes this about it: on its own accord, and not because it was cut off.
  if (step.running?.claim !== undefined) step.released = event.attempt;
  step.running = undefined;
  return true;
}

export function renewLease({ running }: Step, event: LeaseRenewed & { actor: string }): void {
  if (running?.claim !== undefined && isOf(running, event))
    running.claim = { ...running.claim, until: event.until, begun: true };
}

/** Its answer may have arrived all the same. */
function noteUnended(step: Step, { attempt, call }: RunningAttempt): void {
  if (call !== undefined) step.unended = [{ attempt, call }, ...(step.unended ?? [])].slice(0, unendedMax);
}

const unendedMax = 20;

/** Nothing waits any more, and nothing is left to be taken over. */
export function forgetCuts(step: Step): void {
  if (step.paused !== undefined) delete step.paused;
  if (step.unended !== undefined) delete step.unended;
  if (step.cuts !== undefined) delete step.cuts;
  if (step.callSince !== undefined) delete step.callSince;
}
