import type { Hash } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import type { ArtifactRef, Cost, SupersededBecause } from '../model/event.ts';
import type { CellStatus } from '../model/status.ts';

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
  readonly status: CellStatus | undefined;
  readonly cells: readonly { readonly phase: string; readonly status: CellStatus }[];
  /** The most attempts that one of its phases took. */
  readonly attemptsMost: number;
  /** What a gate said last, of results that stand. */
  readonly verdict: string | undefined;
  readonly score: number | undefined;
  readonly bestScore: number | undefined;
  /** All that were ever made, in the order in which they began. */
  readonly attempts: readonly InspectedAttempt[];
}

export interface InspectedAttempt {
  readonly phase: string;
  readonly attempt: number;
  readonly iteration: number;
  readonly startedAt: string;
  /** `in-doubt`: it never ended, and nobody is at it any more. */
  readonly outcome: 'succeeded' | 'failed' | 'interrupted' | 'running' | 'in-doubt';
  /** Why its result is not used any more; `replaced`: a later attempt of the same round took its place. */
  readonly superseded: SupersededBecause | 'replaced' | undefined;
  readonly ms: number | undefined;
  readonly cost: Cost | undefined;
  readonly verdict: string | undefined;
  /** What the gate made of the verdict. */
  readonly passed: boolean | undefined;
  readonly score: number | undefined;
  readonly scores: Readonly<Record<string, number>> | undefined;
  readonly defects: readonly string[];
  /** What a person said of its report. */
  readonly decision:
    | { readonly is: 'accepted' | 'rejected'; readonly by: string; readonly note: string }
    | undefined;
  readonly failure: string | undefined;
  readonly message: string | undefined;
  readonly facts: JsonObject | undefined;
  /** What it consumed, by input name. */
  readonly inputs: Readonly<Record<string, ArtifactRef>>;
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
