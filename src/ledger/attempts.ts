import { isUnheard } from '../model/attempt-failure.ts';
import type {
  AttemptInterrupted,
  AttemptPaused,
  AttemptStarted,
  CallIntent,
  CallRecord,
  Cost,
  Judgement,
  LeaseRenewed,
  RunResumed,
} from '../model/event.ts';
import { findStep, type Ledger, type RunningAttempt, type Step, type Tally } from './ledger.ts';
import { noteDoubt } from './spent.ts';

// Shared by all: a large run has many steps, and nearly none of them has any.
const none: readonly never[] = [];

/** The step, created on first mention. */
export function takeStep(ledger: Ledger, unit: string, phase: string): Step {
  const known = findStep(ledger, unit, phase);
  if (known !== undefined) return known;
  const step: Step = {
    unit,
    phase,
    attempts: 0,
    failures: 0,
    results: [],
    running: undefined,
    failure: undefined,
    superseded: undefined,
    promoted: 0,
    placed: undefined,
    former: none,
    adopted: none,
    promptChange: undefined,
    cost: undefined,
  };
  ledger.steps.add(step);
  return step;
}

/** Whether the event is about this attempt and comes from the actor that claimed it. */
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
 * The attempt that an event is about; of several under one number the one of the event's actor. What `pawl
 * repair` records again comes from the runner, whichever actor had claimed the attempt.
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

/*
 * Interruptions of a step: attempts that ended without a word, because their owner died under them. A step that ends
 * Pawl each time (it uses up the memory) would otherwise be started, and paid for, without end by whatever restarts
 * Pawl. What a person or a reboot ended is none of these.
 */

/** The attempt that is on record as running is followed by another one. */
function noteCut(ledger: Pick<Ledger, 'successes'>, step: Step): void {
  const { running } = step;
  if (running === undefined || running.claim !== undefined || running.counted) return;
  step.cuts = { times: cutsBefore(ledger, step) + 1, successes: ledger.successes };
  running.counted = true;
  step.counted = countedFrom(running);
}

/** What an attempt that counts was made from. */
export function countedFrom(running: RunningAttempt): NonNullable<Step['counted']> {
  const { revision, unitData, unitFile, inputs, preState } = running;
  return {
    revision,
    unitData,
    ...(unitFile && { unitFile }),
    ...(inputs && { inputs }),
    ...(preState && { preState }),
  };
}

/** Inputs and start state of an attempt. */
type Consumed = Pick<AttemptStarted, 'inputs' | 'preState'>;

/** The same bytes, whichever attempt made them. */
export function tookTheSame(before: Partial<NonNullable<Step['counted']>>, now: Consumed): boolean {
  return before.preState?.hash === now.preState?.hash && bytesOf(before.inputs) === bytesOf(now.inputs);
}

function bytesOf(inputs: Consumed['inputs'] = {}): string {
  const taken = Object.entries(inputs).map(([name, ref]) => `${name} ${ref.slice(ref.lastIndexOf(' ') + 1)}`);
  return taken.sort().join();
}

/** An attempt starts: what was counted when it would have been made from something else counts no more. */
function startCounting(
  { revisions }: Pick<Ledger, 'revisions'>,
  step: Step,
  { phase, revision, unitData, unitFile, ...consumed }: AttemptStarted,
): void {
  const { counted } = step;
  if (counted === undefined) return;
  const [before, now] = [counted.revision, revision].map((of) =>
    JSON.stringify(revisions.get(of)?.phases[phase]),
  );
  const isSameUnit = counted.unitData === unitData && counted.unitFile?.hash === unitFile?.hash;
  if (isSameUnit && before === now && tookTheSame(counted, consumed)) return;
  step.failures = 0;
  step.failure = undefined;
  delete step.counted;
  if (step.cuts !== undefined) delete step.cuts;
}

/** Another owner resumes the run: what is on record as running was cut off, and whether by a person is known now. */
export function countCuts(ledger: Ledger, { boot, takeover = false }: RunResumed): void {
  const isExcused = takeover || isExcusedFor(ledger, boot);
  for (const step of ledger.steps.values()) {
    if (step.running === undefined || step.running.claim !== undefined) continue;
    if (isExcused) step.running.counted = true;
    else noteCut(ledger, step);
  }
  delete ledger.stopRequested;
}

/** How often in a row the step was interrupted, with an attempt that is on record as running and is not. */
export function interruptionsOf(ledger: Ledger, step: Step, boot: string | undefined): number {
  const { running, cuts } = step;
  if (running === undefined || running.claim !== undefined || running.counted) return cuts?.times ?? 0;
  return isExcusedFor(ledger, boot) ? (cuts?.times ?? 0) : cutsBefore(ledger, step) + 1;
}

/** A success of any step since the last one ends the row. */
function cutsBefore({ successes }: Pick<Ledger, 'successes'>, { cuts }: Step): number {
  return cuts?.successes === successes ? cuts.times : 0;
}

function isExcusedFor(ledger: Ledger, boot: string | undefined): boolean {
  return ledger.stopRequested === true || (boot !== undefined && ledger.boot !== '' && boot !== ledger.boot);
}

/*
 * Calls in doubt: a call was sent, and its outcome is not on record, so it may have been paid. It counts
 * against budgets by its maximum cost from the moment it is sent, because the sender may die, until it has
 * ended or its answer is found.
 */

export function noteSent(ledger: Ledger, phase: string, call: CallIntent | undefined): void {
  noteDoubt(ledger, phase, call);
}

/** The attempt was interrupted before its request was sent: nothing was paid. */
function noteUnsent(ledger: Ledger, phase: string, call: CallIntent | undefined): void {
  noteDoubt(ledger, phase, call, -1);
}

/**
 * An attempt ended: its cost is known, unless the connection broke; and its answer may be that of an attempt
 * that was cut off.
 */
export function noteEnd(
  ledger: Ledger,
  step: Step,
  { call, cost, reason }: { readonly call?: CallRecord; readonly cost?: Cost; readonly reason?: string },
): void {
  const isUnknown = cost === undefined && reason !== undefined && isUnheard(reason);
  if (!isUnknown) noteDoubt(ledger, step.phase, step.running?.call, -1);
  const adopted = call?.adopted;
  if (adopted === undefined) return;
  // Those in between only meant to take it over.
  for (const { attempt, call: cut } of step.unended ?? [])
    if (attempt >= adopted) noteDoubt(ledger, step.phase, cut, -1);
}

/** The count of a phase's attempts, over all units. */
export function takeTally(ledger: Ledger, phase: string): Tally {
  for (const tally of ledger.tallies) if (tally.phase === phase) return tally;
  const tally: Tally = { phase, attempts: 0, retries: 0, bad: 0, badInARow: 0 };
  ledger.tallies.push(tally);
  return tally;
}

export function countStart(tally: Tally, attempt: number): void {
  tally.attempts += 1;
  if (attempt > 1) tally.retries += 1;
}

export function countEnd(tally: Tally, isGood: boolean): void {
  if (!isGood) tally.bad += 1;
  tally.badInARow = isGood ? 0 : tally.badInARow + 1;
}
