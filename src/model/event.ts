import type { Hash } from '../base/hash.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type {
  BriefAuthored,
  BriefDelivered,
  BriefEdited,
  BriefImported,
  CompactionSeen,
  ContextCrossed,
  DecisionApplied,
  DecisionRecorded,
  SessionSeen,
  SummaryRecorded,
} from './brief-event.ts';
import type { AttemptPaused, CallIntent, CallRecord, Cost } from './calls.ts';
import type { Durability, ForeignEventMeaning } from './definition.ts';
import type { PageImported } from './page-event.ts';
import type { CheckpointAsked, CheckpointDecided, DecidedBy } from './question-event.ts';
import type {
  ArtifactAdopted,
  ArtifactRef,
  FileVersion,
  Judgement,
  OutputRecord,
  OverrideUsed,
  PreState,
  ResultsKept,
  ResultsRestored,
  ResultsSuperseded,
} from './result-event.ts';

export type * from './brief-event.ts';
export type { AttemptPaused, CallIntent, CallRecord, Cost, PauseReason } from './calls.ts';
export * from './page-event.ts';
export type * from './question-event.ts';
export type * from './result-event.ts';

/**
 * Everything that can ever be written down: past-tense facts, a closed union. A new type does not compile until
 * the ledger folds it and the reports say it. `docs/formats/journal.md` describes the file.
 */
export type EventBody =
  | RunCreated
  | RevisionRecorded
  | RunResumed
  | StopRequested
  | RunEnded
  | AttemptStarted
  | ProcessStarted
  | AttemptSucceeded
  | AttemptFailed
  | AttemptInterrupted
  | AttemptPaused
  | OutputsRestored
  | CheckpointAsked
  | CheckpointDecided
  | RevisionRequested
  | ResultsSuperseded
  | ResultsKept
  | ResultsRestored
  | ArtifactAdopted
  | OverrideUsed
  | OutputsVerified
  | DamageAccepted
  | LeaseRenewed
  | CompletionRefused
  | TaskBlocked
  | TaskUnblocked
  | DecisionRecorded
  | DecisionApplied
  | SummaryRecorded
  | CompactionSeen
  | BriefDelivered
  | ContextCrossed
  | SessionSeen
  | BriefEdited
  | BriefAuthored
  | BriefImported
  | PageImported
  | ForeignWorkReported
  | ForeignReportsBound
  | ForeignRunReported;

export type EventType = EventBody['type'];

/** An event as it stands in the journal. `actor` and `epoch` come from where it stands. */
export type StoredEvent = EventBody & {
  readonly seq: number;
  /** Hybrid time: the wall clock, but never before anything its writer had read. */
  readonly at: string;
  readonly actor: string;
  readonly epoch: number;
};

interface OfStep {
  readonly unit: string;
  readonly phase: string;
  readonly attempt: number;
  /** The gate's round; absent means 1. */
  readonly round?: number;
  readonly repaired?: boolean; // Recorded again by `pawl repair`, because its line was lost.
}

/** What every step depends on regardless of its unit, as it was from this point on. */
export interface RevisionRecorded {
  readonly type: 'revision_recorded';
  readonly revision: number;
  /** The canonical manifest, kept in the content store. */
  readonly manifest: Hash;
  readonly phases: Readonly<Record<string, PhaseStatics>>;
}

/** The parts of a phase's fingerprint that are the same for every unit. */
export interface PhaseStatics {
  readonly definition: Hash;
  /** The definition in the later rounds of a gate's loop, where they differ; the first is of round 2. */
  readonly rungs?: readonly Hash[];
  /** Template files by role (`system`, `phase`, `override`, `include:PATH`); kept in the content store. */
  readonly templates: Readonly<Record<string, FileVersion>>;
  /** Declared files that the phase takes, by name. */
  readonly files: Readonly<Record<string, FileVersion>>;
  /** Files of its code, by path; null: there was no such file. Absent: the code is not known. */
  readonly code?: Readonly<Record<string, Hash | null>>;
}

/** The owner was asked to stop while attempts ran: whichever of them never ends was ended by that request. */
export interface StopRequested {
  readonly type: 'stop_requested';
}

/** The owner released the run in good order. */
export interface RunEnded extends DecidedBy {
  readonly type: 'run_ended';
  readonly status: 'completed' | 'stopped' | 'waiting_human' | 'paused' | 'failed' | 'cancelled';
  /** What the state's path shows from here on; anything else there is an edit. */
  readonly state?: Hash;
  /** Why it was cancelled. */
  readonly reason?: string;
}

/** Durable before the paid work begins, so that a crash leaves it in doubt and never a surprise. */
export interface AttemptStarted extends OfStep {
  readonly type: 'attempt_started';
  readonly revision: number;
  /** Hash of the unit's own fields; absent for a unit that is only a name. */
  readonly unitData?: Hash;
  /** The unit's own file, where the phase takes it; its bytes are kept in the content store. */
  readonly unitFile?: FileVersion;
  /** What was consumed, by input name. */
  readonly inputs?: Readonly<Record<string, ArtifactRef>>;
  readonly preState?: PreState;
  /** The fully resolved prompt. */
  readonly prompt?: Hash;
  /** What people and later phases have said of earlier results, all of it. */
  readonly feedback?: Hash;
  /** Until when the attempt belongs to the actor that claimed it; only for work that is done outside. */
  readonly lease?: string;
  /** The call of a model that it is about to make. */
  readonly call?: CallIntent;
  /** Why it was started, in the words of any version: `readReason` reads it. */
  readonly why?: JsonValue;
}

/** A child process belongs to the attempt; recorded before it may do anything. */
export interface ProcessStarted extends OfStep {
  readonly type: 'process_started';
  readonly pid: number;
  readonly started: string;
  readonly boot: string;
  readonly host: string;
}

/** Every declared output was checked, and its bytes are in the content store. */
export interface AttemptSucceeded extends OfStep {
  readonly type: 'attempt_succeeded';
  readonly outputs: Readonly<Record<string, OutputRecord>>;
  /** Files of the workspace that were named as done, by path: they go on living, and are not guarded. */
  readonly files?: Readonly<Record<string, FileRecord>>;
  /** The actor's note about its work. */
  readonly note?: string;
  readonly ms: number;
  /** What the gate's report says; only on a phase with a gate. */
  readonly verdict?: string;
  /** What the gate made of it, and what else the report says. */
  readonly judged?: Judgement;
  /** The raw answer that the outputs were made from, kept in the attempt folder. */
  readonly response?: Hash;
  readonly call?: CallRecord;
  readonly cost?: Cost;
  /** `RUN UNIT/PHASE#ATTEMPT`: the result of another run was taken, and nothing was run. */
  readonly reused?: string;
  /** What that had cost. */
  readonly saved?: Cost;
}

export interface FileRecord {
  readonly hash: Hash;
  readonly size: number;
}

/** The attempt ended without a usable result. */
export interface AttemptFailed extends OfStep {
  readonly type: 'attempt_failed';
  /** A stable reason; see `failure.ts`. */
  readonly reason: string;
  readonly message: string;
  readonly ms: number;
  readonly facts?: JsonObject;
  /** What was paid for nothing. */
  readonly call?: CallRecord;
  readonly cost?: Cost;
}

/** The attempt was ended by a signal that the runner received. */
export interface AttemptInterrupted extends OfStep {
  readonly type: 'attempt_interrupted';
  readonly ms: number;
  /** What it had told of by then. */
  readonly cost?: Cost;
  /** Its call was announced, but the request was not sent: nothing can have been paid for it. */
  readonly unsent?: boolean;
}

/** Outputs were put back from the content store, under new files; recorded before they get their names. */
export interface OutputsRestored extends OfStep {
  readonly type: 'outputs_restored';
  readonly outputs: Readonly<Record<string, OutputRecord>>;
}

/** An attempt found that an earlier phase has to be done again; it made nothing itself. */
export interface RevisionRequested extends OfStep {
  readonly type: 'revision_requested';
  readonly to: string;
  readonly reason: string;
  readonly ms: number;
  readonly cost?: Cost;
}

/** After a reboot every output recorded so far was read and hashed: from here on its stat may be trusted again. */
export interface OutputsVerified {
  readonly type: 'outputs_verified';
  readonly upTo: number;
}

/** A person looked at a damaged journal and resumes with what is readable. */
export interface DamageAccepted extends DecidedBy {
  readonly type: 'damage_accepted';
  readonly findings: readonly string[];
  readonly reason: string;
}

/** The actor that claimed the attempt is still working: the lease runs longer. */
export interface LeaseRenewed extends OfStep {
  readonly type: 'lease_renewed';
  readonly until: string;
}

/** An actor reported work as done that it no longer owned. Its files were kept in `aside/`. */
export interface CompletionRefused extends OfStep {
  readonly type: 'completion_refused';
  readonly reason: 'claimed-by-another' | 'not-claimed';
  /** The folder, relative to the workspace. */
  readonly aside?: string;
}

/** A unit cannot continue before an actor does something about it. */
export interface TaskBlocked {
  readonly type: 'task_blocked';
  readonly unit: string;
  readonly reason: string;
}

export interface TaskUnblocked {
  readonly type: 'task_unblocked';
  readonly unit: string;
  readonly note?: string;
}

/** What the log of another tool says of a unit's work. Never written by Pawl: nothing but the word proves it. */
export interface ForeignWorkReported {
  readonly type: 'foreign_work_reported';
  readonly unit: string;
  readonly means: ForeignEventMeaning;
  /** Absent: all phases of the unit. */
  readonly phase?: string;
  readonly note?: string;
}

/** The run took over what logs of other tools had told until then, and of which tasks they had told it. */
export interface ForeignReportsBound {
  readonly type: 'foreign_reports_bound';
  readonly units: readonly ReportedUnit[];
}

/** A task that a log told of, as the list of units had it then. */
export interface ReportedUnit {
  readonly unit: string;
  readonly listed: boolean;
  /** Of all its fields; absent: it had none, or was not listed. */
  readonly unitData?: Hash;
}

/** What the log of another tool says of the whole run. */
export interface ForeignRunReported {
  readonly type: 'foreign_run_reported';
  /** The stage that the run has come to. */
  readonly stage?: string;
  readonly completed?: boolean;
}

/** The first event of every run: which pipeline works on which identity. */
export interface RunCreated {
  readonly type: 'run_created';
  readonly run: string;
  readonly pipeline: string;
  readonly identity: Readonly<Record<string, string>>;
  readonly durability: Durability;
  /** The manifest's path, relative to the workspace. */
  readonly manifest: string;
  /** The run's own folder as it was called, where the layout gives it one: paths of outputs begin with it. */
  readonly folder?: string;
  /** The commit that the workspace was at, where it is under git. */
  readonly gitHead?: string;
  /** Ids of the open runs of its identity that `--fresh` replaced: abandoned, and not a byte of them changes. */
  readonly replaces?: readonly string[];
  /** The version of Pawl that made the run; absent in older journals. */
  readonly pawl?: string;
  /** The `pace` of the manifest; absent in older journals. */
  readonly pace?: RecordedPace;
  /** The boot of the machine: after another one, an unsynced output is proven by its bytes, not by its stat. */
  readonly boot: string;
  readonly repaired?: boolean; // Recorded again by `pawl repair`, because its line was lost.
}

/** `pace` of the manifest by its keys: numbers as they are, durations in milliseconds. */
export type RecordedPace = Readonly<Record<string, number>>;

/** A later process took the run up again. */
export interface RunResumed extends DecidedBy {
  readonly type: 'run_resumed';
  readonly boot: string;
  /** The first unit that was not finished. */
  readonly from?: string;
  /** The manifest's `pace` is not as it was recorded before; no `before` in journals of older versions. */
  readonly pace?: { readonly before?: RecordedPace; readonly after: RecordedPace };
  readonly gitHead?: string;
  /** A person took the run over from its owner, and with it what was running (`--takeover`). */
  readonly takeover?: boolean;
}
