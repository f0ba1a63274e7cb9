import type { Step, StepResult } from '../ledger/ledger.ts';
import type { Unit } from '../model/definition.ts';
import type { PreState } from '../model/event.ts';
import type { GateStop, Notice, RefusalOf, StopReason } from '../model/reason.ts';
import type { Loop, PlanContext, StageShape } from './context.ts';
import type { Decision, UnitPlan } from './plan.ts';
import type { RoundFigures } from './rounds.ts';

/** One unit's way through its phases so far, as the walk has found it. */
export interface Walk {
  readonly context: PlanContext;
  readonly shape: StageShape;
  readonly unit: Unit;
  /** By phase: what the ledger knows of it. */
  readonly steps: readonly (Step | undefined)[];
  readonly startState: PreState | undefined;
  /** Units, or a whole stage, that must be finished before anything of this unit starts. */
  readonly blockedBy: () => readonly string[];
  /** The unit that is listed before it. */
  readonly before: Unit | undefined;
  /** The plans of the units that were planned before it. */
  readonly units: ReadonlyMap<string, UnitPlan>;
  /** What a result that started from another state than the chain has now is worth. */
  readonly staleState: 'keep' | 'refuse' | 'rerun';
  /** By phase; undefined: not come to yet. */
  readonly decisions: (Decision | undefined)[];
  /** The results of the round before, for inputs that come from later phases. */
  readonly roundBefore: Map<string, StepResult>;
  readonly rounds: Map<Loop, number>;
  /** The rounds that the gate has judged, in order. */
  readonly judged: Map<Loop, JudgedRound[]>;
  /** Loops that the walk has come out of. */
  readonly ended: Map<Loop, LoopEnd>;
  /** Phases whose result is put back before a person is asked about it. */
  readonly held: Set<string>;
  readonly notices: Notice[];
  /** Cells whose recorded start state differs because the chain before was made anew. */
  readonly staleStates: RefusalOf<'pre-state-differs'>[];
}

/** A round of a loop, as it was when its gate judged it. */
export interface JudgedRound extends RoundFigures {
  /** The gate's own. */
  readonly result: StepResult;
  /** By phase of the loop. */
  readonly decisions: readonly (Decision | undefined)[];
}

export interface LoopEnd {
  readonly stopped: 'passed' | GateStop;
  /** The round that stands. */
  readonly kept: JudgedRound;
  /** Why nothing may be built on it; undefined: it was let through or accepted. */
  readonly stop: StopReason | undefined;
}

/** The round that a phase has come to, or that stands where its loop is over; 1 for what is in no loop. */
export function roundOf({ shape, rounds, ended }: Walk, at: number): number {
  const loop = shape.loops[at];
  if (loop === undefined) return 1;
  return ended.get(loop)?.kept.round ?? rounds.get(loop) ?? 1;
}
