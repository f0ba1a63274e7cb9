import type { ClaimRecord, Ledger, RunningAttempt, StepResult } from '../ledger/ledger.ts';
import type { Pipeline } from '../model/definition.ts';
import type { ArtifactRef, OutputRecord, PreState } from '../model/event.ts';
import type { StepName } from '../model/names.ts';
import type {
  Notice,
  OutdatedPart,
  PartChange,
  ReachedLimit,
  Refusal,
  RunReason,
  SkipReason,
  StopReason,
} from '../model/reason.ts';

/** A decision with its reason for every step. Same ledger and same facts, same plan. */
export interface Plan {
  /** In the order of stages and units. */
  readonly units: ReadonlyMap<string, UnitPlan>;
  /** Any of these stops the whole run before anything starts. */
  readonly refusals: readonly Refusal[];
  readonly notices: readonly Notice[];
  /** Any of these keeps everything from starting that would. */
  readonly limits: readonly ReachedLimit[];
  /** Every unit is finished, or may fail and did: proven, not inferred from having nothing left to do. */
  readonly finished: boolean;
  /** Which steps the invocation is about; absent: all. */
  readonly scope?: Scope;
}

/** The steps that were selected, and those that they wait for. */
export interface Scope {
  isSelected(unit: string, phase: string): boolean;
  /** It was not selected, and a selected step waits for it. */
  isNeeded(unit: string, phase: string): boolean;
  /** One of both: what changed there counts. */
  isIn(unit: string, phase: string): boolean;
  mayStart(unit: string, phase: string): boolean;
  readonly blocked: readonly BlockedStep[];
}

/** A selected step that waits for one that may not start. */
export interface BlockedStep {
  readonly unit: string;
  readonly phase: string;
  /** The step that it waits for, directly or through others. */
  readonly by: StepName;
  /** The option that keeps that one from starting. */
  readonly because: 'no-deps' | 'excluded' | 'until';
}

/** How far the selected steps are. */
export interface SelectionCounts {
  readonly selected: number;
  readonly done: number;
  /** Of these, results that are kept although their inputs changed; absent: none. */
  readonly outdated?: number;
  /** Steps that are not selected and not done, and that selected ones wait for. */
  readonly needed: readonly string[];
  readonly blocked: readonly BlockedStep[];
  /** Steps outside the selection that are not done. */
  readonly left: number;
}

export interface UnitPlan {
  readonly unit: string;
  readonly stage: string;
  /** One per phase, in order; of a loop the newest round. */
  readonly cells: readonly StepPlan[];
  readonly finished: boolean;
  /** Finished, or failed where the manifest allows that: others need not wait for it any more. */
  readonly ended: boolean;
  /** Nothing is left to run or to ask: ended, or only outputs have to be put back. */
  readonly isMade: boolean;
  readonly refusals: readonly Refusal[];
  readonly notices: readonly Notice[];
  /** What the next unit of a chain starts from; undefined before this unit has committed. */
  readonly state: PreState | undefined;
}

export interface StepPlan {
  readonly unit: string;
  readonly phase: string;
  readonly iteration: number;
  readonly decision: Decision;
}

export type Decision =
  /** Proven: the result stands. */
  | { readonly do: 'reuse'; readonly result: StepResult; readonly outdated?: readonly OutdatedPart[] }
  /** The result stands, but these outputs have to be put back from the content store. */
  | {
      readonly do: 'restore';
      readonly result: StepResult;
      readonly outputs: readonly string[];
      readonly outdated?: readonly OutdatedPart[];
    }
  /** Start an attempt now. `had`: the outdated result. */
  | {
      readonly do: 'run';
      readonly why: RunReason;
      readonly made: MadeFrom;
      readonly had: StepResult | undefined;
      /** What changed, where a policy re-runs it for that. */
      readonly changes?: readonly PartChange[];
    }
  /** Decided again when these (phases of the unit, or other units) are done. Reused if nothing differs then. */
  | {
      readonly do: 'wait';
      readonly for: readonly string[];
      readonly had: StepResult | undefined;
      readonly changes?: readonly PartChange[];
    }
  /** An outside actor has it, with a running lease. */
  | {
      readonly do: 'claimed';
      readonly running: RunningAttempt & { readonly claim: ClaimRecord };
      readonly why: RunReason;
      readonly made: MadeFrom;
      readonly had: StepResult | undefined;
    }
  /** Not needed in this round. */
  | { readonly do: 'skip'; readonly why: SkipReason }
  | {
      readonly do: 'refuse';
      readonly refusals: readonly Refusal[];
      readonly result: StepResult | undefined;
      /** Why a policy re-runs it besides, and the changes behind that, in the same order. */
      readonly reasons?: readonly RunReason[];
      readonly changes?: readonly PartChange[];
    }
  | {
      readonly do: 'stop';
      readonly why: StopReason;
      /** What an attempt would be made from, where it is one that may not start. */
      readonly made?: MadeFrom;
    };

/** What an attempt consumes that belongs to its own unit. */
export interface MadeFrom {
  readonly inputs: ReadonlyMap<string, ConsumedArtifact>;
  readonly preState: PreState | undefined;
}

export interface ConsumedArtifact {
  readonly ref: ArtifactRef;
  readonly output: OutputRecord;
  /** The bytes at the path are those of another round: they have to be taken from the content store. */
  readonly superseded: boolean;
}

/** A result that the decision lets later phases build on. */
export function standingResult(decision: Decision): StepResult | undefined {
  return decision.do === 'reuse' || decision.do === 'restore' ? decision.result : undefined;
}

/** The changes that a policy re-runs a step for. */
export function rerunChanges(decision: Decision): readonly PartChange[] {
  return ('changes' in decision && decision.changes) || none;
}

/** What a kept result is outdated by; empty: it is up to date, or there is none. */
export function outdatedBy(decision: Decision): readonly OutdatedPart[] {
  return ('outdated' in decision && decision.outdated) || none;
}

const none: readonly never[] = [];

/** There is nothing to do: the result stands where it belongs, or none is needed. */
export function isSettled({ do: what }: Decision): boolean {
  return what === 'reuse' || what === 'skip';
}

/** The same, or there are only outputs to put back. */
export function isMade(decision: Decision): boolean {
  return decision.do === 'restore' || isSettled(decision);
}

/** It was finished before whatever changed, and is still if that is allowed. */
export function wasFinished({ cells: steps }: UnitPlan): boolean {
  return steps.every(
    ({ decision, iteration: round }) => isMade(decision) || formerResult(decision)?.round === round,
  );
}

/**
 * A standing result, or that of a refused step: its consumers are compared with it, so that all refusals are
 * named.
 */
export function comparedResult(decision: Decision): StepResult | undefined {
  return decision.do === 'refuse' ? decision.result : standingResult(decision);
}

/** A result that was there before the plan was made, whether or not it stands. */
export function formerResult(decision: Decision): StepResult | undefined {
  switch (decision.do) {
    case 'reuse':
    case 'restore':
    case 'refuse':
      return decision.result;
    case 'run':
    case 'wait':
    case 'claimed':
      return decision.had;
    case 'skip':
    case 'stop':
      return undefined;
  }
}

/** What changed without a result depending on it. Once it is recorded, no later plan knows of it. */
export function valueChanges({ notices }: Pick<Plan, 'notices'>): Notice[] {
  return notices.filter(isUnrecorded);
}

export function isUnrecorded({ code }: Notice): boolean {
  return code === 'value-changed' || code === 'templates-changed' || code === 'code-kept';
}

/**
 * How long the steps of a plan may take: as long as attempts at the same phases took so far, as many at once as the
 * manifest says. Undefined: nothing would run, or of none of its phases an attempt has ended.
 */
export function expectedMs(
  { pace }: Pipeline,
  { spent }: Pick<Ledger, 'spent'>,
  plan: Plan,
): number | undefined {
  const means = new Map(
    spent.flatMap(({ phase, attempts, ms }) => (attempts === 0 ? [] : [[phase, ms / attempts] as const])),
  );
  let total: number | undefined;
  let units = 0;
  for (const { cells: steps } of plan.units.values()) {
    let isAny = false;
    for (const { phase, decision } of steps) {
      const mean = decision.do === 'run' || decision.do === 'wait' ? means.get(phase) : undefined;
      if (mean === undefined) continue;
      total = (total ?? 0) + mean;
      isAny = true;
    }
    if (isAny) units += 1;
  }
  return total === undefined ? undefined : Math.round(total / Math.max(1, Math.min(pace.concurrency, units)));
}
