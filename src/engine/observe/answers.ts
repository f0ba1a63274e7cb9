import type { FailedAttempt, StepResult } from '../../ledger/ledger.ts';
import type { Cost } from '../../model/event.ts';
import type { Finding, MissingProvider, RerunAbove } from '../../model/failure.ts';
import type {
  Notice,
  OutdatedPart,
  ReachedLimit,
  Refusal,
  RunReason,
  SkipReason,
  StopReason,
} from '../../model/reason.ts';
import type { RunStatus, StepStatus } from '../../model/status.ts';
import type { Plan, SelectionCounts } from '../../planner/plan.ts';
import type { InvocationSpending } from '../../runner/context.ts';
import type { Notification } from '../../runner/notify/notification.ts';
import type { Stop, WorkOfOthers } from '../../runner/outcome.ts';
import type { Halt } from '../../runner/schedule.ts';
import type { StoryEntry } from './history-entry.ts';
import type { AttemptTotals, InspectedUnit } from './inspected.ts';
import type { LogsAnswer } from './logs-answer.ts';
import type { CallInDoubt, PausedStop } from './open-calls.ts';
import type { PlannedCalls } from './planned-answer.ts';
import type { StaleRun } from './stale-answer.ts';

export type * from '../maintain/gc/gc-answer.ts';
export type { FollowedLogs, LogsAnswer } from './logs-answer.ts';

/** What the use cases answer: facts for `report` to put into words. */

/** Which run an answer is about. */
export interface RunHeading {
  readonly run: string;
  readonly pipeline: string;
  readonly identity: Readonly<Record<string, string>>;
  readonly status: RunStatus;
  /** Relative to the folder the command was given in, for people to type. */
  readonly workspace: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The run that `--fresh` made in its place: it is abandoned, and only its id leads to it. */
  readonly replacedBy?: string;
}

export interface RunAnswer {
  readonly heading: RunHeading;
  /** `new`: created by this call. `resumed`: taken up again. `unchanged`: proven, and nothing was to be done. */
  readonly kind: 'new' | 'resumed' | 'unchanged';
  /** A completed run that something made open again. */
  readonly reopened: boolean;
  readonly interrupted: boolean;
  /** Calls of models that were cut off and may have been paid; absent: none. */
  readonly inDoubt?: readonly CallInDoubt[];
  readonly cells: StepCounts;
  /** How far the selected steps are; absent: all steps were meant. */
  readonly selection?: SelectionCounts;
  /** What this invocation has spent, where it was given a limit. */
  readonly spending?: InvocationSpending;
  readonly ran: {
    readonly succeeded: number;
    readonly failed: number;
    /** Of those that succeeded: taken from other runs instead of being run; absent: none. */
    readonly reused?: number;
  };
  /** The folders that outputs are put into, for people to type. Absent: nothing was done. */
  readonly outputs?: readonly string[];
  /** Cells that somebody outside has to do. */
  readonly others: WorkOfOthers;
  readonly stops: readonly Stop[];
  /** Limits over all units that keep it from going on. */
  readonly limits: readonly ReachedLimit[];
  /** When the first of what a provider asked to wait for may go on; absent: nothing waits so. */
  readonly retryAt?: string;
  /** Models that nothing more was asked of. */
  readonly halts?: readonly Halt[];
  readonly refusals: readonly Refusal[];
  /** How files differ that a person is asked about. */
  readonly diffs?: readonly TextDiff[];
  readonly notices: readonly Notice[];
  readonly findings: readonly Finding[];
  /** Who was to be told of it, and whether that worked. Absent: nobody was. */
  readonly notifications?: readonly Notification[];
  readonly elapsedMs: number;
}

export interface StepCounts {
  readonly units: number;
  readonly unitsFinished: number;
  readonly cells: number;
  /** Succeeded and proven now. */
  readonly done: number;
  /** Of these, not run in this sitting. */
  readonly reused: number;
  readonly skipped: number;
  /** Done, and kept although what they were made from changed; absent: none is. */
  readonly outdated?: number;
}

export interface PlanAnswer {
  /** Overrides were asked for: only `run` with the same ones does what is shown. */
  readonly overridden: boolean;
  readonly heading: RunHeading | undefined;
  /** Only the steps that were selected, and those that they wait for. */
  readonly plan: Plan;
  /** How far the selected steps are; absent: all steps are meant. */
  readonly selection?: SelectionCounts;
  /** Phases in order, for the matrix. */
  readonly phases: readonly string[];
  /** Phases that are claimed from outside: run starts none of them. */
  readonly claimable: readonly string[];
  readonly counts: {
    readonly run: number;
    readonly wait: number;
    readonly claimed: number;
    readonly reuse: number;
    readonly restore: number;
    readonly skip: number;
    readonly refuse: number;
    readonly stop: number;
    /** Of the reused and restored: kept although what they were made from changed; absent: none is. */
    readonly outdated?: number;
  };
  readonly findings: readonly Finding[];
  /** What models would be asked; absent: none would. */
  readonly calls?: PlannedCalls;
  /** Of the steps to run: those whose result run takes from another run, if it is as recorded; absent: none. */
  readonly reusable?: readonly ReusableStep[];
  /** Nothing has happened for longer than `pace.stale_after`: run would ask first. Absent: it would not. */
  readonly stale?: StaleRun;
  /** A policy would re-run more than `confirm_above` allows: run would ask first. Absent: it would not. */
  readonly above?: RerunAbove;
  /** Steps to run whose outputs are checked first: only those that fail a changed check run again. */
  readonly checkedFirst?: readonly string[];
  /** How long it may take, by what attempts at the same phases took in this run. Absent: they say nothing. */
  readonly ms?: number | undefined;
  /** Providers that cannot be asked: run would start nothing. */
  readonly missing?: readonly MissingProvider[];
}

/** The same of several steps. */
export interface WhyManyAnswer {
  readonly heading: RunHeading | undefined;
  /** In the order of units and phases. */
  readonly steps: readonly WhyAnswer[];
}

export interface ReusableStep {
  readonly unit: string;
  readonly phase: string;
  /** `RUN UNIT/PHASE#ATTEMPT`. */
  readonly from: string;
  /** What that had cost. */
  readonly saved?: Cost;
}

export interface WhyAnswer {
  readonly heading: RunHeading | undefined;
  readonly unit: string;
  readonly phase: string;
  readonly status: StepStatus;
  readonly iteration: number;
  readonly attempts: number;
  /** What `run` would do with it, and why. */
  readonly verdict:
    | {
        readonly do: 'reuse';
        readonly result: StepResult;
        /** What it was made from and is different now; absent: nothing is. */
        readonly outdated?: readonly OutdatedPart[];
      }
    | {
        readonly do: 'restore';
        readonly result: StepResult;
        readonly outputs: readonly string[];
        readonly outdated?: readonly OutdatedPart[];
      }
    | {
        readonly do: 'run';
        readonly why: RunReason;
        /** Who may claim it; absent: run starts it itself. */
        readonly role?: string;
      }
    | { readonly do: 'wait'; readonly for: readonly string[] }
    | { readonly do: 'claimed'; readonly actor: string; readonly until: string }
    | { readonly do: 'skip'; readonly why: SkipReason }
    | { readonly do: 'refuse'; readonly refusals: readonly Refusal[] }
    | { readonly do: 'stop'; readonly why: StopReason };
  /** It consumed a result that is outdated. */
  readonly inputOutdated?: true;
  /** Every attempt and every decision about the step, in the order in which they began; only where one step is asked about. */
  readonly story?: readonly StoryEntry[];
  /** Every part of what the newest result was made from, and whether it is still so. */
  readonly parts: readonly Part[];
  readonly failure: FailedAttempt | undefined;
  /** Who did it, when it was claimed from outside. */
  readonly actor?: string | undefined;
  /** Files of the workspace that it was completed with, as of then. */
  readonly files?: readonly { readonly path: string; readonly hash: string }[];
  readonly outputs: readonly {
    readonly name: string;
    readonly path: string;
    readonly hash: string;
    readonly state: 'intact' | 'missing' | 'unpromoted' | 'edited' | 'damaged' | 'older-round';
    /** The other run that wrote the bytes that are there now; only of `edited`. */
    readonly writtenBy?: string;
  }[];
}

export interface Part {
  /** `definition`, `template system`, `file outline`, `unit`, `input prose`, `state`. */
  readonly name: string;
  readonly path: string | undefined;
  readonly recorded: string | undefined;
  readonly now: string | undefined;
  readonly same: boolean;
  /** Not known before these steps or units are done. */
  readonly pending?: readonly string[];
}

/** How far a run is, in the words of its own layout: about the stage with the most units. */
export interface Extent {
  /** What people call a unit, and a finished one. */
  readonly unitKey: string;
  readonly doneKey: string;
  readonly units: readonly {
    readonly unit: string;
    readonly index: number | undefined;
    readonly finished: boolean;
    /** It failed, and the manifest lets the run go on without it. */
    readonly givenUp?: boolean;
  }[];
}

export interface StatusAnswer {
  readonly heading: RunHeading;
  readonly phases: readonly string[];
  readonly units: readonly {
    readonly unit: string;
    readonly cells: readonly {
      readonly phase: string;
      readonly status: StepStatus;
      readonly iteration: number;
      readonly attempts: number;
      readonly verdict: string | undefined;
      /** Of a phase with a gate: what it made of the newest result. */
      readonly passed?: boolean | undefined;
      readonly score?: number | undefined;
      /** The changes that it is outdated by, by name; absent: it is not outdated. */
      readonly outdated?: readonly string[];
      /** It consumed a result that is outdated. */
      readonly inputOutdated?: true;
      /** `RUN UNIT/PHASE#ATTEMPT`: its result, or its model's answer, was taken from there. */
      readonly reused?: string;
    }[];
  }[];
  /** Only some steps were asked for; absent: all are here. */
  readonly narrowed?: true;
  readonly extent: Extent;
  readonly counts: Readonly<Record<StepStatus, number>>;
  /** The same by phase, in their order. */
  readonly byPhase: readonly {
    readonly phase: string;
    readonly counts: Readonly<Record<StepStatus, number>>;
  }[];
  /** The version of Pawl that made the run; absent: it is not on record. */
  readonly madeBy?: string;
  /** Nothing has happened for longer than `pace.stale_after`: run would ask first. Absent: it would not. */
  readonly stale?: StaleRun;
  /** By how many events the files made from the journal are behind it; absent: by none. */
  readonly behind?: number;
  readonly holder: { readonly pid: number; readonly host: string; readonly since: string } | undefined;
  readonly refusals: readonly Refusal[];
  /** When the first of what a provider asked to wait for may go on; absent: nothing waits so. */
  readonly retryAt?: string;
  /** Limits and budgets that keep it from going on; absent: none does. */
  readonly limits?: readonly ReachedLimit[];
  /** Where a run would start nothing: the cells that keep it from that; absent: it would, or there is nothing to do. */
  readonly stuck?: readonly Stop[];
  /** What providers asked to wait; absent: nothing. */
  readonly paused?: readonly PausedStop[];
  /** Calls of models that were sent, and of whose answer nobody knows. */
  readonly inDoubt?: readonly CallInDoubt[];
  readonly notices: readonly Notice[];
  readonly findings: readonly Finding[];
}

export interface RunsAnswer {
  /** The newest first. */
  readonly runs: readonly (ListedRun | DamagedRun)[];
}

export interface ListedRun extends RunHeading {
  /** The run's own folder, as it can be typed. */
  readonly folder: string;
  /** `total` is absent where only another manifest knows all units of the run. */
  readonly units: { readonly done: number; readonly total?: number };
  readonly cost: Pick<Cost, 'usd'> & { readonly tokens?: number };
  /** How long `pawl run` processes have worked on it, without the pauses between them. */
  readonly workedMs: number;
  /** Since it was created. */
  readonly ageMs: number;
}

/** A run folder that cannot be read: listed, never skipped and never taken for fresh. */
export interface DamagedRun {
  readonly run: string;
  readonly workspace: string;
  readonly status: 'damaged';
  readonly findings: readonly Finding[];
}

/** The newest attempt of every step that was asked for. */
export interface ManyLogsAnswer {
  readonly heading: RunHeading;
  /** Only steps that stand failed were asked for. */
  readonly onlyFailed: boolean;
  readonly steps: readonly LogsAnswer[];
}

export interface InspectAnswer {
  readonly heading: RunHeading;
  /** The run's own folder, relative to the workspace. */
  readonly folder: string;
  /** What people call a unit, and a finished one. */
  readonly unitKey: string;
  readonly doneKey: string;
  /** Only some units were asked for. */
  readonly isNarrowed: boolean;
  /** Of the units that are listed. */
  readonly totals: AttemptTotals;
  readonly units: readonly InspectedUnit[];
  readonly findings: readonly Finding[];
}

/** A page was made of a run, for people to look at. */
export interface ReportAnswer {
  readonly heading: RunHeading;
  /** As it can be typed from where the command was given. */
  readonly path: string;
  readonly bytes: number;
  readonly units: { readonly shown: number; readonly leftOut: number };
  readonly pictures: { readonly shown: number; readonly leftOut: number };
}

/** Lines of a text comparison; `same` lines are only context. */
export interface TextDiff {
  readonly title: string;
  readonly before: { readonly path: string; readonly hash: string | undefined };
  readonly after: { readonly path: string; readonly hash: string | undefined };
  readonly lines: readonly { readonly kind: 'same' | 'added' | 'removed' | 'gap'; readonly text: string }[];
}

export interface DiffAnswer {
  readonly diffs: readonly TextDiff[];
  /** What refuses and has no lines that could be shown: only its hash was kept. */
  readonly unshown: readonly Refusal[];
}

export interface VerifyAnswer {
  readonly heading: RunHeading;
  readonly findings: readonly Finding[];
  readonly checked: { readonly events: number; readonly outputs: number; readonly objects: number };
  /** Steps whose results are kept although what they were made from changed; absent: there are none. */
  readonly outdated?: readonly OutdatedStep[];
  /** `--strict`: outdated results are a shortcoming. */
  readonly isStrict?: true;
  /** By how many events the files made from the journal are behind it; absent: by none. */
  readonly behind?: number;
}

export interface OutdatedStep {
  readonly unit: string;
  readonly phase: string;
  readonly changes: readonly string[];
}

export interface AdoptAnswer {
  readonly heading: RunHeading;
  readonly adopted: readonly {
    readonly unit: string;
    readonly phase: string;
    readonly output: string;
    readonly path: string;
    /** Undefined: nothing had made it. */
    readonly before: string | undefined;
    readonly after: string;
  }[];
  /** What the next run will do again because of it. */
  readonly reruns: readonly string[];
  /** Cells that wait for others before them, or for a person. */
  readonly waits: readonly string[];
}

/** A run that was ended for good. */
export interface CancelAnswer {
  readonly heading: RunHeading;
  readonly reason: string;
}
