import type { CellResult, FailedAttempt } from '../ledger/ledger.ts';
import type { Finding } from '../model/failure.ts';
import type { Notice, Refusal, RunReason, StopReason } from '../model/reason.ts';
import type { CellStatus, RunStatus } from '../model/status.ts';
import type { Plan } from '../planner/plan.ts';
import type { Stop } from '../runner/carry-out.ts';

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
}

export interface RunAnswer {
  readonly heading: RunHeading;
  /** `new`: created by this call. `resumed`: taken up again. `unchanged`: proven, and nothing was to be done. */
  readonly kind: 'new' | 'resumed' | 'unchanged';
  /** A completed run that something made open again. */
  readonly reopened: boolean;
  readonly interrupted: boolean;
  readonly cells: CellCounts;
  readonly ran: { readonly succeeded: number; readonly failed: number };
  readonly stops: readonly Stop[];
  readonly refusals: readonly Refusal[];
  readonly notices: readonly Notice[];
  readonly findings: readonly Finding[];
  readonly elapsedMs: number;
}

export interface CellCounts {
  readonly units: number;
  readonly unitsFinished: number;
  readonly cells: number;
  /** Succeeded and proven now. */
  readonly done: number;
  /** Of these, not run in this sitting. */
  readonly reused: number;
  readonly skipped: number;
}

export interface PlanAnswer {
  /** Overrides were asked for: only `run` with the same ones does what is shown. */
  readonly overridden: boolean;
  readonly heading: RunHeading | undefined;
  readonly plan: Plan;
  /** Phases in order, for the matrix. */
  readonly phases: readonly string[];
  readonly counts: {
    readonly run: number;
    readonly wait: number;
    readonly reuse: number;
    readonly restore: number;
    readonly skip: number;
    readonly refuse: number;
    readonly stop: number;
  };
  readonly findings: readonly Finding[];
}

export interface WhyAnswer {
  readonly heading: RunHeading | undefined;
  readonly unit: string;
  readonly phase: string;
  readonly status: CellStatus;
  readonly iteration: number;
  readonly attempts: number;
  /** What `run` would do with it, and why. */
  readonly verdict:
    | { readonly do: 'reuse'; readonly result: CellResult }
    | { readonly do: 'restore'; readonly result: CellResult; readonly outputs: readonly string[] }
    | { readonly do: 'run'; readonly why: RunReason }
    | { readonly do: 'wait'; readonly for: readonly string[] }
    | { readonly do: 'skip' }
    | { readonly do: 'refuse'; readonly refusals: readonly Refusal[] }
    | { readonly do: 'stop'; readonly why: StopReason };
  /** Every part of what the newest result was made from, and whether it is still so. */
  readonly parts: readonly Part[];
  readonly failure: FailedAttempt | undefined;
  readonly outputs: readonly {
    readonly name: string;
    readonly path: string;
    readonly hash: string;
    readonly state: 'intact' | 'missing' | 'unpromoted' | 'edited' | 'damaged' | 'older-round';
  }[];
}

export interface Part {
  /** `definition`, `template system`, `file outline`, `unit`, `input prose`, `state`. */
  readonly name: string;
  readonly path: string | undefined;
  readonly recorded: string | undefined;
  readonly now: string | undefined;
  readonly same: boolean;
}

export interface StatusAnswer {
  readonly heading: RunHeading;
  readonly phases: readonly string[];
  readonly units: readonly {
    readonly unit: string;
    readonly cells: readonly {
      readonly phase: string;
      readonly status: CellStatus;
      readonly iteration: number;
      readonly attempts: number;
      readonly verdict: string | undefined;
    }[];
  }[];
  readonly counts: Readonly<Record<CellStatus, number>>;
  readonly holder: { readonly pid: number; readonly host: string; readonly since: string } | undefined;
  readonly refusals: readonly Refusal[];
  readonly notices: readonly Notice[];
  readonly findings: readonly Finding[];
}

export interface RunsAnswer {
  readonly runs: readonly (RunHeading | DamagedRun)[];
}

/** A run folder that cannot be read: listed, never skipped and never taken for fresh. */
export interface DamagedRun {
  readonly run: string;
  readonly workspace: string;
  readonly status: 'damaged';
  readonly findings: readonly Finding[];
}

export interface LogsAnswer {
  readonly unit: string;
  readonly phase: string;
  readonly attempts: readonly {
    readonly attempt: number;
    readonly iteration: number;
    readonly startedAt: string;
    readonly outcome: 'succeeded' | 'failed' | 'interrupted' | 'running' | 'in-doubt';
    readonly ms: number | undefined;
    readonly failure: string | undefined;
    readonly message: string | undefined;
    readonly superseded: boolean;
    /** Relative to the workspace; undefined: nothing was kept in a folder. */
    readonly folder: string | undefined;
    readonly files: readonly { readonly name: string; readonly text: string; readonly cut: boolean }[];
  }[];
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
}

export interface VerifyAnswer {
  readonly heading: RunHeading;
  readonly findings: readonly Finding[];
  readonly checked: { readonly events: number; readonly outputs: number; readonly objects: number };
}

export interface AdoptAnswer {
  readonly heading: RunHeading;
  readonly adopted: readonly {
    readonly unit: string;
    readonly phase: string;
    readonly output: string;
    readonly path: string;
    readonly before: string;
    readonly after: string;
  }[];
  /** What the next run will do again because of it. */
  readonly reruns: readonly string[];
}

export interface ResetAnswer {
  readonly archived: readonly { readonly run: string; readonly to: string; readonly files: number }[];
}

export interface RepairAnswer {
  readonly heading: RunHeading;
  readonly accepted: readonly Finding[];
}

export interface DecideAnswer {
  readonly heading: RunHeading;
  readonly unit: string;
  readonly phase: string;
  readonly decision: 'accepted' | 'rejected';
}
