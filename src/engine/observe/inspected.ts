import type { Hash } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import type {
  ArtifactRef,
  CallIntent,
  CallRecord,
  Cost,
  FileVersion,
  SupersededBecause,
} from '../../model/event.ts';
import type { AttemptReason, GateStop } from '../../model/reason.ts';
import type { StepStatus } from '../../model/status.ts';

/** What is told of a run's units and attempts to whoever looks back. */

export interface AttemptTotals {
  readonly units: number;
  readonly unitsFinished: number;
  readonly attempts: number;
  readonly failed: number;
  /** Succeeded, and their gate sent the unit back. */
  readonly sentBack: number;
  /** Spent in attempts, which may have gone on at the same time. */
  readonly ms: number;
  readonly cost: Cost | undefined;
}

export interface InspectedUnit {
  readonly unit: string;
  readonly index: number | undefined;
  /** Undefined, and so is its status: the pipeline does not list it any more. */
  readonly stage: string | undefined;
  /** Of the cell that keeps it from being finished; `succeeded` when none does. */
  readonly status: StepStatus | undefined;
  readonly cells: readonly { readonly phase: string; readonly status: StepStatus }[];
  /** The most attempts that one of its phases took. */
  readonly attemptsMost: number;
  /** What a gate said last, of results that stand. */
  readonly verdict: string | undefined;
  readonly score: number | undefined;
  readonly bestScore: number | undefined;
  /** All that were ever made, in the order in which they began. */
  readonly attempts: readonly InspectedAttempt[];
  /** What each of its gates made of the rounds that count; none that has judged nothing yet. */
  readonly gates: readonly InspectedGate[];
}

export interface InspectedGate {
  readonly phase: string;
  /** Undefined: it goes on. */
  readonly stopped: 'passed' | GateStop | undefined;
  /** The round with the best score. */
  readonly best: number | undefined;
  /** The round that stands, or that somebody is asked about. */
  readonly kept: number | undefined;
  readonly rounds: readonly InspectedRound[];
}

export interface InspectedRound {
  readonly round: number;
  /** The gate's attempt that judged it. */
  readonly attempt: number;
  readonly verdict: string | undefined;
  readonly passed: boolean | undefined;
  readonly score: number | undefined;
  readonly scores: Readonly<Record<string, number>> | undefined;
  readonly defects: readonly string[];
  /** Of all attempts in it, also of those whose results are not used. */
  readonly cost: Cost | undefined;
  /** What was made in it, by the phases of the loop. */
  readonly outputs: readonly { readonly phase: string; readonly output: string; readonly hash: Hash }[];
}

export interface InspectedAttempt {
  readonly phase: string;
  readonly attempt: number;
  readonly iteration: number;
  readonly startedAt: string;
  /** Why it was started. Undefined: a person put its files there, or its start is lost. */
  readonly why: AttemptReason | undefined;
  /** `in-doubt`: it never ended, and nobody is at it any more. `released`: its actor gave the claim back. */
  readonly outcome: 'succeeded' | 'failed' | 'interrupted' | 'released' | 'paused' | 'running' | 'in-doubt';
  /**
   * Why its result is not used any more; `replaced`: a later attempt of the same round took its place; `outdone`: the loop
   * is over, and an earlier round is kept; `undone`: an earlier attempt counts again.
   */
  readonly superseded: SupersededBecause | 'replaced' | 'outdone' | 'undone' | undefined;
  readonly ms: number | undefined;
  readonly cost: Cost | undefined;
  /** The call of a model that it was about to make, and the one that it made. */
  readonly intent: CallIntent | undefined;
  readonly call: CallRecord | undefined;
  /** `RUN UNIT/PHASE#ATTEMPT`: the result of another run was taken, and nothing was run; and what that had cost. */
  readonly reused?: string;
  readonly saved?: Cost;
  readonly verdict: string | undefined;
  /** What the gate made of the verdict. */
  readonly passed: boolean | undefined;
  readonly score: number | undefined;
  readonly scores: Readonly<Record<string, number>> | undefined;
  readonly defects: readonly string[];
  /** What a person said of its report. */
  readonly decision:
    | { readonly is: 'approved' | 'rejected'; readonly by: string; readonly note: string }
    | undefined;
  readonly failure: string | undefined;
  readonly message: string | undefined;
  readonly facts: JsonObject | undefined;
  /** What it consumed, by input name. */
  readonly inputs: Readonly<Record<string, ArtifactRef>>;
  /** The unit's own file, where the phase takes it. */
  readonly unitFile?: FileVersion;
  readonly outputs: readonly InspectedOutput[];
}

export interface InspectedOutput {
  readonly name: string;
  readonly path: string;
  readonly hash: Hash;
  readonly size: number;
  /** An edit by hand that was taken as the result. */
  readonly isAdopted: boolean;
}
