import type { Judgement, LeaseRenewed, PhaseInterrupted, PhasePaused, PhaseStarted } from '../model/event.ts';
import { noteCut, startCounting } from './cuts.ts';
import { noteUnsent } from './doubt.ts';
import type { Cell, Ledger, RunningAttempt } from './ledger.ts';

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
  cell: Cell,
  event: PhaseStarted & { at: string; actor: string },
): boolean {
  const attempt: RunningAttempt = {
    attempt: event.attempt,
    iteration: event.iteration ?? 1,
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
  if (event.lease !== undefined && event.attempt <= cell.attempts) {
    const isOpen = cell.running?.attempt === event.attempt;
    if (isOpen) cell.rivals = [...(cell.rivals ?? []), attempt];
    return false;
  }
  cell.attempts = Math.max(cell.attempts, event.attempt);
  if (cell.running !== undefined) noteUnended(cell, cell.running);
  noteCut(ledger, cell);
  startCounting(ledger, cell, event);
  if (event.call !== undefined) cell.callSince ??= event.attempt;
  cell.running = attempt;
  if (cell.rivals !== undefined) delete cell.rivals;
  return true;
}

/**
 * The attempt that an event speaks of; of several under one number that of the event's own actor. What `pawl repair` records
 * again comes from the runner, whoever had claimed the attempt.
 */
export function attemptOf(
  { running, rivals }: Cell,
  event: { readonly attempt: number; readonly actor: string; readonly repaired?: boolean },
): RunningAttempt | undefined {
  if (event.repaired === true && running?.attempt === event.attempt) return running;
  return isOf(running, event) ? running : rivals?.find((rival) => isOf(rival, event));
}

/** What a gate makes of a round stays on record, whatever becomes of the result. */
export function noteJudgement(cell: Cell, attempt: number, judged: Judgement): void {
  const others = (cell.judgements ?? []).filter((one) => one.attempt !== attempt);
  cell.judgements = [...others, { attempt, ...judged }]
    .sort((a, b) => a.attempt - b.attempt)
    .slice(-judgementsMax);
}

const judgementsMax = 100;

/** Nothing has failed: it uses up no attempt, and whatever had failed before is as it was. */
export function pauseAttempt(cell: Cell, event: PhasePaused): void {
  cell.attempts = Math.max(cell.attempts, event.attempt);
  const prompt = cell.running?.attempt === event.attempt ? cell.running.prompt : undefined;
  if (cell.running?.attempt === event.attempt) cell.running = undefined;
  const { attempt, reason, message, until } = event;
  if (cell.cuts !== undefined) delete cell.cuts;
  const times = (cell.paused?.times ?? 0) + 1;
  cell.paused = { attempt, ...(prompt && { prompt }), reason, message, until, times };
}

/** False: no such attempt is under way. */
export function interruptAttempt(
  ledger: Ledger,
  cell: Cell,
  event: PhaseInterrupted & { actor: string },
): boolean {
  if (!isOf(cell.running, event)) return false;
  if (event.unsent) noteUnsent(ledger, event.phase, cell.running?.call);
  else if (cell.running !== undefined) noteUnended(cell, cell.running);
  // Only the actor that has a claim writes this about it: on its own accord, and not because it was cut off.
  if (cell.running?.claim !== undefined) cell.released = event.attempt;
  cell.running = undefined;
  return true;
}

export function renewLease({ running }: Cell, event: LeaseRenewed & { actor: string }): void {
  if (running?.claim !== undefined && isOf(running, event))
    running.claim = { ...running.claim, until: event.until, begun: true };
}

/** Its answer may have arrived all the same. */
function noteUnended(cell: Cell, { attempt, call }: RunningAttempt): void {
  if (call !== undefined) cell.unended = [{ attempt, call }, ...(cell.unended ?? [])].slice(0, unendedMax);
}

const unendedMax = 20;

/** Nothing waits any more, and nothing is left to be taken over. */
export function forgetCuts(cell: Cell): void {
  if (cell.paused !== undefined) delete cell.paused;
  if (cell.unended !== undefined) delete cell.unended;
  if (cell.cuts !== undefined) delete cell.cuts;
  if (cell.callSince !== undefined) delete cell.callSince;
}
