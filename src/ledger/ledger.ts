import type { Hash } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import type {
  ArtifactRef,
  CallIntent,
  Cost,
  FileRecord,
  FileVersion,
  Judgement,
  OutputRecord,
  OverrideUsed,
  PageImported,
  PauseReason,
  PreState,
  ProcessStarted,
  RecordedPace,
  ReportedUnit,
  RevisionRecorded,
  RunCreated,
  RunEnded,
  SupersededBecause,
} from '../model/event.ts';
import { parseStepName, type StepName, stepName } from '../model/names.ts';
import type { GuardName } from '../model/reason.ts';
import { type Decided, emptyNotes, type Feedback, type QuestionRecord, type RunNotes } from './records.ts';
import type { Spent, WorkedTime } from './spent.ts';

export type { Decided } from './records.ts';

/** The fold of a journal: everything that is known of a run, and nothing that the journal does not say. */
export interface Ledger {
  run: RunCreated | undefined;
  /** By number; numbers only grow. */
  revisions: Map<number, RevisionRecorded & { readonly at: string }>;
  /** The newest one; 0 before the first. */
  revision: number;
  steps: StepTable;
  overrides: (OverrideUsed & { readonly at: string })[];
  /** How the last owner ended the run; undefined while it is locked, or if the owner died. */
  ended: RunEnded['status'] | undefined;
  /** What the state's path showed when an owner last released the run. */
  shownState: Hash | undefined;
  createdAt: string;
  updatedAt: string;
  resumes: number;
  /** How long runner processes have worked on it. */
  worked: WorkedTime;
  /** Results that attempts have brought, in every unit. */
  successes: number;
  /** The owner was asked to stop, and no other has resumed the run since. */
  stopRequested?: boolean;
  /** When, and from where; the newest last. */
  resumeHistory: ResumeRecord[];
  /** The machine's boot under which the newest events were written, and the first of them. */
  boot: string;
  bootSince: number;
  /** Every output recorded up to this event was read and hashed after a reboot. */
  provenUpTo: number;
  /** Findings that a person has seen and accepted. */
  acceptedDamage: string[];
  /** By phase, since a person last went past a limit. A list: names come from outside, and there are few. */
  tallies: Tally[];
  /** By phase, and for the whole run: what was spent so far. */
  spent: Spent[];
  /** Units that an actor has blocked. */
  blocked: BlockedUnit[];
  /** Who carries out plans: the actor of the first event. Numbers of events are compared with its own only. */
  runner: string | undefined;
  runnerSeq: number;
  /** What was decided on the way, in the order of saying. */
  decisions: Decided[];
  /** Units that were unblocked here. */
  settled: string[];
  /** What the logs of other tools say of the run as a whole. */
  told: { readonly stage: string | undefined; readonly completed: boolean } | undefined;
  /** The manifest of the last invocation. */
  lockedManifest: Hash | undefined;
  /** The `pace` of the manifest as recorded last; undefined in journals of older versions. */
  pace: RecordedPace | undefined;
  /** The commit of the workspace when the run was last taken up. */
  gitHead: string | undefined;
  /** Questions that concern no single step. */
  questions: QuestionRecord[];
  /** The highest number that a question has. */
  questionCount: number;
  /** Notes for later sessions. */
  notes: RunNotes;
  /** What status pages said before the run, by unit: what no result says of it. A list: there are few. */
  imported: Omit<PageImported, 'type'>[];
  /** Why the run was cancelled. */
  cancelled: { readonly reason: string; readonly by: string } | undefined;
}

export interface BlockedUnit {
  readonly unit: string;
  readonly reason: string;
  readonly actor: string;
  readonly at: string;
}

/** A later process took the run up again. */
export interface ResumeRecord {
  readonly at: string;
  readonly from: string | undefined;
  /** Its manifest hash differs from the one recorded before. */
  readonly manifestChanged: boolean;
}

/** What limits are asked of: all attempts at a phase, in every unit. */
export interface Tally {
  readonly phase: string;
  attempts: number;
  /** Attempts that were not their unit's first. */
  retries: number;
  /** Attempts that failed, or that their gate sent back. */
  bad: number;
  /** Bad ones since the last good one. */
  badInARow: number;
}

export interface Step {
  readonly unit: string;
  readonly phase: string;
  /** The highest number given to an attempt; numbers are never used twice. */
  attempts: number;
  /** Attempts that failed since the last success or rerun: what a retry budget counts. */
  failures: number;
  /** The newest valid result of each round of the gate's loop; index 0 is round 1. */
  results: (StepResult | undefined)[];
  running: RunningAttempt | undefined;
  /**
   * Claims under the same number that came later: branches of a run were merged. The first one to finish
   * counts.
   */
  rivals?: RunningAttempt[];
  failure: FailedAttempt | undefined;
  /** Attempts that were about to make a call and were cut off since the last one that ended; the newest first. */
  unended?: readonly { readonly attempt: number; readonly call: CallIntent }[];
  /** The first of the attempts whose call has brought no answer since: all of them make the same call. */
  callSince?: number;
  /** Attempts that ended without a word, in a row, and how many successes the run had at the newest. */
  cuts?: { readonly times: number; readonly successes: number };
  /** What the newest failure or interruption that counts was made from: after a change of it, counting starts at 0. */
  counted?: Pick<MadeOf, 'revision' | 'unitData' | 'unitFile'> &
    Partial<Pick<RunningAttempt, 'inputs' | 'preState'>>;
  /** The newest claim that its actor gave back: that attempt was not cut off. */
  released?: number;
  /** A provider asked to wait, so often in a row; until the next success. */
  paused?: PausedAttempt;
  /** Why the results are gone; until the next success. */
  superseded: Superseded | undefined;
  /** The attempt whose outputs were promoted last: the one whose bytes lie at the declared paths. */
  promoted: number;
  /** Those outputs; they outlive the result when it is superseded, since the files still lie there. */
  placed: Readonly<Record<string, OutputRecord>> | undefined;
  /** Hashes of outputs that were ours once: such a file is old, not edited. */
  former: readonly Hash[];
  /** Hashes of a person's edits that were adopted: they count, but they are never overwritten as if they were ours. */
  adopted: readonly Hash[];
  /** The change of prompt that the newest result comes from. */
  promptChange: PromptChange | undefined;
  /** Spent over every attempt, kept or not. */
  cost: Cost | undefined;
  /** What its gate has ever made of it, round by round, also where the result is no longer used. */
  judgements?: (Judgement & { readonly attempt: number })[];
  /** Questions about it; most steps have none. */
  questions?: QuestionRecord[];
  /** What was said of its results, in the order of saying. */
  feedback?: readonly Feedback[];
}

export interface Superseded {
  readonly because: SupersededBecause;
  readonly reason: string | undefined;
  /** The name of the change, where there is one. */
  readonly change?: string;
  /** `ACTOR#SEQ` of the event; absent in snapshots of older versions. */
  readonly decision?: string;
}

export interface StepResult {
  readonly attempt: number;
  readonly round: number;
  revision: number;
  unitData: Hash | undefined;
  /** The unit's own file; absent: the phase did not take it, or an older version of Pawl recorded it with the fields. */
  unitFile?: FileVersion | undefined;
  inputs: Readonly<Record<string, ArtifactRef>> | undefined;
  preState: PreState | undefined;
  readonly prompt: Hash | undefined;
  /** All that had been said of earlier results when it was made. */
  feedback?: Hash;
  outputs: Readonly<Record<string, OutputRecord>>;
  verdict: string | undefined;
  /** What the gate made of it: whether it let it through, and its score. */
  passed?: boolean | undefined;
  score?: number | undefined;
  /** Why it did not. */
  defects?: readonly string[] | undefined;
  readonly response: Hash | undefined;
  readonly ms: number;
  at: string;
  /** A person put its files there: it was made from nothing that the pipeline knows. */
  readonly byHand?: boolean;
  /** It was taken from a status page, which says what it was made from. */
  readonly imported?: boolean;
  /** Its files were there before the run; it counts as made from the inputs that were there, too. */
  readonly isFound?: boolean;
  /** Another tool's log says that it was done: there is nothing but its word. */
  readonly reported?: boolean;
  /** That log says that it was left out on purpose. */
  readonly skipped?: boolean;
  /** The task that the word was about when the run was taken over; absent: as the list has it now. */
  readonly boundTo?: ReportedUnit;
  /** A person has kept it for other parts than it was made from: what stands above are those. */
  kept?: KeptResult;
  /** Who did it, when it was claimed from outside. */
  actor?: string;
  /** Files of the workspace that were named as done, by path. */
  files?: Readonly<Record<string, FileRecord>>;
  note?: string;
  /** `RUN UNIT/PHASE#ATTEMPT`: it was taken from there instead of being made. */
  reused?: string;
  /** The event under which its files were last put where they lie: what a proof after a reboot counts from. */
  seq: number;
  /** When they were put back last; absent: they were not, and `at` says it. */
  placedAt?: string;
}

/** Why a result is kept, and what it was made from. */
export interface KeptResult {
  readonly guard: GuardName;
  readonly reason: string;
  readonly made: MadeOf;
}

/** The parts of a result that can be others than they were. */
export type MadeOf = Pick<StepResult, 'revision' | 'unitData' | 'unitFile' | 'inputs' | 'preState'>;

export interface RunningAttempt extends Readonly<MadeOf> {
  readonly attempt: number;
  readonly round: number;
  readonly prompt: Hash | undefined;
  readonly feedback?: Hash | undefined;
  readonly at: string;
  process: ProcessStarted | undefined;
  /** The call of a model that it was about to make. */
  readonly call?: CallIntent;
  /** Whose it is, when it was claimed from outside. */
  claim?: ClaimRecord | undefined;
  /** It never ended, and is counted as an interruption, or was ended by a person or a reboot. */
  counted?: boolean;
}

export interface ClaimRecord {
  readonly actor: string;
  /** When the lease runs out; empty: there is no lease. */
  readonly until: string;
  /** Work has begun: not only handed out. */
  readonly begun: boolean;
}

export interface PausedAttempt {
  readonly attempt: number;
  readonly prompt?: Hash | undefined;
  readonly reason: PauseReason;
  readonly message: string;
  /** Empty: a person did not wait for it. */
  readonly until: string;
  readonly times: number;
}

export interface FailedAttempt {
  readonly attempt: number;
  readonly prompt?: Hash | undefined;
  readonly reason: string;
  readonly message: string;
  readonly at: string;
  /** Which output, which exit code, which limit. */
  readonly facts?: JsonObject | undefined;
}

export interface PromptChange {
  readonly before: Hash | undefined;
  after: Hash | undefined;
  readonly reason: string | undefined;
}

export function emptyLedger(): Ledger {
  return {
    run: undefined,
    revisions: new Map(),
    revision: 0,
    steps: new StepTable(),
    overrides: [],
    ended: undefined,
    shownState: undefined,
    createdAt: '',
    updatedAt: '',
    resumes: 0,
    worked: { ms: 0, since: undefined, until: '' },
    successes: 0,
    resumeHistory: [],
    boot: '',
    bootSince: 0,
    provenUpTo: 0,
    acceptedDamage: [],
    tallies: [],
    spent: [],
    blocked: [],
    settled: [],
    decisions: [],
    runner: undefined,
    runnerSeq: 0,
    told: undefined,
    lockedManifest: undefined,
    pace: undefined,
    gitHead: undefined,
    questions: [],
    questionCount: 0,
    notes: emptyNotes(),
    imported: [],
    cancelled: undefined,
  };
}

export function findStep(ledger: Ledger, unit: string, phase: string): Step | undefined {
  return ledger.steps.find(unit, phase);
}

/**
 * The steps of a run by unit and phase, each unit's in the order of first mention. Not one map by name,
 * because in a large run building the names takes longer than every lookup.
 */
export class StepTable {
  readonly byUnit = new Map<string, Step[]>();

  find(unit: string, phase: string): Step | undefined {
    const steps = this.byUnit.get(unit);
    if (steps === undefined) return undefined;
    for (let at = 0; at < steps.length; at++) if (steps[at]?.phase === phase) return steps[at];
    return undefined;
  }

  get(name: StepName): Step | undefined {
    const parsed = parseStepName(name);
    return parsed && this.find(parsed.unit, parsed.phase);
  }

  add(step: Step): void {
    const steps = this.byUnit.get(step.unit);
    if (steps === undefined) this.byUnit.set(step.unit, [step]);
    else steps.push(step);
  }

  *values(): Generator<Step> {
    for (const steps of this.byUnit.values()) yield* steps;
  }

  *[Symbol.iterator](): Generator<[StepName, Step]> {
    for (const step of this.values()) yield [stepName(step.unit, step.phase), step];
  }
}

/** The newest attempt failed; undefined: none did, or a later one was paused, and says more of where the step stands. */
export function standingFailure({ failure, paused }: Step): FailedAttempt | undefined {
  return failure !== undefined && (paused?.attempt ?? 0) > failure.attempt ? undefined : failure;
}

/** Puts a result in the place of its round. */
export function keepResult(step: Step, result: StepResult): void {
  // An array that grows takes room for many: nearly every cell has one result, and there are many cells.
  if (step.results.length === 0 && result.round === 1) step.results = [result];
  else step.results[result.round - 1] = result;
}

/** The result whose outputs lie at the declared paths. */
export function promotedResult(step: Step): StepResult | undefined {
  return step.results.find((result) => result?.attempt === step.promoted);
}

/** The newest result, whatever round it belongs to. */
export function newestResult(step: Step): StepResult | undefined {
  let newest: StepResult | undefined;
  for (const result of step.results) {
    if (result !== undefined && (newest === undefined || result.attempt > newest.attempt)) newest = result;
  }
  return newest;
}

/** The result to show: the one at the declared paths, which may be of an earlier round. */
export function currentResult(step: Step): StepResult | undefined {
  return promotedResult(step) ?? newestResult(step);
}

/** May the stat of this result's files stand for their bytes? Not when a power cut may lie between. */
export function isStatTrusted(ledger: Ledger, result: StepResult, boot: string): boolean {
  if (result.seq <= ledger.provenUpTo) return true;
  return ledger.boot === boot && result.seq >= ledger.bootSince;
}
