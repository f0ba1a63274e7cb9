import { unreachable } from '../base/result.ts';
import { isCallFailure, isSettingsFailure } from '../model/attempt-failure.ts';
import type {
  Asked,
  AttemptFailed,
  AttemptInterrupted,
  AttemptPaused,
  AttemptStarted,
  CheckpointDecided,
  EventType,
  OverrideUsed,
  RevisionRequested,
  StoredEvent,
} from '../model/event.ts';
import {
  attemptOf,
  countCuts,
  countEnd,
  countedFrom,
  countStart,
  interruptAttempt,
  isOf,
  noteEnd,
  noteSent,
  pauseAttempt,
  renewLease,
  startAttempt,
  takeStep,
  takeTally,
} from './attempts.ts';
import { bindForeignReports, blockUnit, foldForeignReport, foldForeignRun, unblockUnit } from './foreign.ts';
import { emptyLedger, type Ledger, type Step } from './ledger.ts';
import {
  foldNote,
  type NoteType,
  noteBoot,
  noteMove,
  noteResume,
  noteRevision,
  noteSession,
  noteStart,
  noteSuccess,
} from './notes.ts';
import { foldDecision, foldQuestion, requestRevision } from './questions.ts';
import {
  foldAdoption,
  foldImport,
  keepResults,
  namedSteps,
  recordSuccess,
  restoreResult,
  restoreResults,
  supersede,
} from './results.ts';
import { addCost, grantMore, noteSpending, noteWorked } from './spent.ts';

/** The ledger of a whole journal. */
export function foldEvents(events: Iterable<StoredEvent>): Ledger {
  const ledger = emptyLedger();
  for (const event of events) foldEvent(ledger, event);
  return ledger;
}

/**
 * Takes one more event into the ledger, in place: a ledger belongs to its caller. Events that make no sense
 * where they stand (a success without a start, after lines were lost) are taken as far as they prove
 * something.
 */
export function foldEvent(ledger: Ledger, said: StoredEvent): void {
  const event = numbered(ledger, said);
  // Logs of several actors may be read in pieces: an older event can come later.
  if (event.at > ledger.updatedAt) ledger.updatedAt = event.at;
  switch (event.type) {
    case 'run_created':
      ledger.run = event;
      ledger.createdAt = event.at;
      ledger.pace = event.pace;
      noteSession(ledger.notes, event.at);
      ledger.gitHead = event.gitHead;
      noteBoot(ledger, event.boot, event.seq);
      return;
    case 'run_resumed':
      countCuts(ledger, event);
      noteResume(ledger, event);
      ledger.gitHead = event.gitHead;
      noteBoot(ledger, event.boot, event.seq);
      return;
    case 'stop_requested':
      ledger.stopRequested = true;
      return;
    case 'run_ended':
      ledger.ended = event.status;
      if (event.status === 'cancelled') ledger.cancelled = { reason: event.reason ?? '', by: event.by ?? '' };
      if (event.state !== undefined) ledger.shownState = event.state;
      return;
    case 'revision_recorded':
      noteRevision(ledger, event, !isVisitor(ledger, event));
      return;
    case 'foreign_reports_bound':
      bindForeignReports(ledger, event);
      return;
    case 'foreign_run_reported':
      foldForeignRun(ledger, event);
      return;
    case 'page_imported':
      foldImport(ledger, event);
      return;
    case 'override_used':
      noteOverride(ledger, event);
      return;
    case 'outputs_verified':
      ledger.provenUpTo = Math.max(ledger.provenUpTo, event.upTo);
      return;
    case 'damage_accepted':
      ledger.acceptedDamage.push(...event.findings);
      return;
    case 'decision_recorded':
    case 'decision_applied':
    case 'summary_recorded':
    case 'compaction_seen':
    case 'brief_delivered':
    case 'context_crossed':
    case 'session_seen':
    case 'brief_edited':
    case 'brief_authored':
    case 'brief_imported':
      foldNote(ledger, event);
      return;
    default:
      foldWork(ledger, event);
  }
}

/**
 * Every actor numbers its own events. What a proof after a reboot counts from is a number of the runner's: what a visitor
 * says comes after the last one that the runner had said before. The number of `results_superseded` is part of its name.
 */
function numbered(ledger: Ledger, event: StoredEvent): StoredEvent {
  if (event.type === 'run_created') ledger.runner = event.actor;
  if (!isVisitor(ledger, event)) {
    ledger.runnerSeq = Math.max(ledger.runnerSeq, event.seq);
    noteWorked(ledger.worked, event);
    return event;
  }
  return event.type === 'results_superseded' ? event : { ...event, seq: ledger.runnerSeq };
}

function isVisitor({ runner }: Ledger, { actor }: { readonly actor: string }): boolean {
  return runner !== undefined && actor !== runner && actor !== '';
}

/** What became of units and their phases. */
function foldWork(ledger: Ledger, event: Extract<StoredEvent, { type: WorkType }>): void {
  switch (event.type) {
    case 'attempt_started':
      start(ledger, event);
      return;
    case 'process_started': {
      const { running } = takeStep(ledger, event.unit, event.phase);
      if (running?.attempt === event.attempt) running.process = event;
      return;
    }
    case 'attempt_succeeded':
      if (recordSuccess(ledger, takeStep(ledger, event.unit, event.phase), event)) {
        countEnd(takeTally(ledger, event.phase), event.judged?.passed ?? true);
        noteSpending(ledger, event);
        noteSuccess(ledger.notes, event, isVisitor(ledger, event));
      }
      return;
    case 'attempt_failed':
      if (failAttempt(ledger, takeStep(ledger, event.unit, event.phase), event)) {
        countEnd(takeTally(ledger, event.phase), false);
        noteSpending(ledger, event);
      }
      noteMove(ledger.notes, event.at);
      return;
    case 'attempt_interrupted':
      if (interruptAttempt(ledger, takeStep(ledger, event.unit, event.phase), event)) spend(ledger, event);
      return;
    case 'attempt_paused':
      pause(ledger, takeStep(ledger, event.unit, event.phase), event);
      return;
    case 'lease_renewed':
      renewLease(takeStep(ledger, event.unit, event.phase), event);
      return;
    // What was refused changed nothing; it is on record for those who look for it.
    case 'completion_refused':
      return;
    case 'task_blocked':
      blockUnit(ledger, event);
      return;
    case 'task_unblocked':
      unblockUnit(ledger, event.unit);
      if (!ledger.settled.includes(event.unit)) ledger.settled.push(event.unit);
      return;
    case 'foreign_work_reported':
      foldForeignReport(ledger, event);
      return;
    case 'outputs_restored':
      restoreResult(takeStep(ledger, event.unit, event.phase), event);
      return;
    case 'checkpoint_asked':
    case 'checkpoint_decided':
    case 'revision_requested':
      foldWord(ledger, event);
      return;
    case 'results_superseded':
    case 'results_kept':
    case 'results_restored':
    case 'artifact_adopted':
      foldResults(ledger, event);
      return;
    default:
      unreachable(event);
  }
}

/** What people and policies decide about results that are there. */
function foldResults(ledger: Ledger, event: Extract<StoredEvent, { type: ResultType }>): void {
  switch (event.type) {
    case 'results_superseded':
      supersede(ledger, event);
      return;
    case 'results_kept':
      keepResults(namedSteps(ledger, event.steps), event);
      return;
    case 'results_restored':
      restoreResults(ledger, event);
      return;
    case 'artifact_adopted':
      foldAdoption(takeStep(ledger, event.unit, event.phase), ledger.revision, event);
      return;
    default:
      unreachable(event);
  }
}

type ResultType = 'results_superseded' | 'results_kept' | 'results_restored' | 'artifact_adopted';

/** What is asked, and what is said of results. */
function foldWord(ledger: Ledger, event: Extract<StoredEvent, { type: WordType }>): void {
  switch (event.type) {
    case 'checkpoint_asked':
      foldQuestion(ledger, event, askedStep(ledger, event));
      return;
    case 'checkpoint_decided':
      foldDecision(ledger, event, askedStep(ledger, event), redoneStep(ledger, event));
      return;
    case 'revision_requested': {
      const step = takeStep(ledger, event.unit, event.phase);
      step.attempts = Math.max(step.attempts, event.attempt);
      if (isVisitor(ledger, event) && attemptOf(step, event) === undefined) return;
      if (isOf(step.running, event)) {
        noteEnd(ledger, step, event);
        spend(ledger, event);
        step.running = undefined;
        if (step.cuts !== undefined) delete step.cuts;
      }
      requestRevision(event, takeStep(ledger, event.unit, event.to));
      return;
    }
    default:
      unreachable(event);
  }
}

type WordType = 'checkpoint_asked' | 'checkpoint_decided' | 'revision_requested';

/** Every type that is about units; what is about the run as a whole is folded by `foldEvent` itself. */
type WorkType = Exclude<
  EventType,
  | 'run_created'
  | 'run_resumed'
  | 'stop_requested'
  | 'run_ended'
  | 'foreign_run_reported'
  | 'page_imported'
  | 'foreign_reports_bound'
  | NoteType
  | 'revision_recorded'
  | 'override_used'
  | 'outputs_verified'
  | 'damage_accepted'
>;

/** Undefined for what concerns no single step. */
function askedStep(ledger: Ledger, { unit, phase }: Asked): Step | undefined {
  return unit === '' ? undefined : takeStep(ledger, unit, phase);
}

function redoneStep(ledger: Ledger, { unit, redo }: CheckpointDecided): Step | undefined {
  return redo === undefined || unit === '' ? undefined : takeStep(ledger, unit, redo);
}

/** After a limit was overridden, counting starts at 0. */
function noteOverride(ledger: Ledger, event: OverrideUsed & { at: string }): void {
  ledger.overrides.push(event);
  if (event.guard !== 'limit-reached') return;
  ledger.tallies = [];
  grantMore(ledger, () => ['usd', 'tokens', 'ms']);
  for (const step of ledger.steps.values())
    if (step.paused !== undefined) step.paused = { ...step.paused, until: '', times: 0 };
}

function start(ledger: Ledger, event: AttemptStarted & { at: string; actor: string }): void {
  const step = takeStep(ledger, event.unit, event.phase);
  if (!startAttempt(ledger, step, event)) return;
  noteSent(ledger, event.phase, event.call);
  countStart(takeTally(ledger, event.phase), event.attempt);
  noteStart(ledger.notes, event);
}

function pause(ledger: Ledger, step: Step, event: AttemptPaused & { actor: string }): void {
  if (isOf(step.running, event)) {
    noteEnd(ledger, step, event);
    if (event.cost !== undefined) spend(ledger, event);
  }
  pauseAttempt(step, event);
}

/** An attempt ended without a result, and is paid for all the same. */
function spend(ledger: Ledger, event: AttemptInterrupted | AttemptPaused | RevisionRequested): void {
  const step = takeStep(ledger, event.unit, event.phase);
  step.cost = addCost(step.cost, event.cost);
  noteSpending(ledger, event);
}

function failAttempt(
  ledger: Ledger,
  step: Step,
  event: AttemptFailed & { at: string; actor: string },
): boolean {
  const { running } = step;
  if (!endAttempt(step, event, isVisitor(ledger, event))) return false;
  noteEnd(ledger, { ...step, running }, event);
  if (!isSettingsFailure(event.reason)) step.failures += 1;
  if (running !== undefined) step.counted = countedFrom(running);
  step.cost = addCost(step.cost, event.cost);
  if (step.unended !== undefined) delete step.unended;
  if (step.cuts !== undefined) delete step.cuts;
  if (!isCallFailure(event.reason)) delete step.callSince;
  const { attempt, reason, message, at, facts } = event;
  const prompt = running?.attempt === attempt ? running.prompt : undefined;
  step.failure = { attempt, reason, message, at, ...(prompt && { prompt }), ...(facts && { facts }) };
  return true;
}

/** False: another actor owns the attempt. What the runner records counts also where its start was lost. */
function endAttempt(
  step: Step,
  event: { readonly attempt: number; readonly actor: string },
  isOfVisitor: boolean,
): boolean {
  step.attempts = Math.max(step.attempts, event.attempt);
  if (isOfVisitor && attemptOf(step, event) === undefined) return false;
  if (step.running?.claim !== undefined && !isOf(step.running, event)) return false;
  if (step.running?.attempt === event.attempt) step.running = undefined;
  return true;
}
