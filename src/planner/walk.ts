import type { Cell, CellResult } from '../ledger/ledger.ts';
import type { Unit } from '../model/definition.ts';
import type { PreState } from '../model/event.ts';
import type { Notice, Refusal } from '../model/reason.ts';
import type { Loop, PlanContext, StageShape } from './context.ts';
import type { Decision, UnitPlan } from './plan.ts';

/** One unit's way through its phases so far, as the walk has found it. */
export interface Walk {
  readonly context: PlanContext;
  readonly shape: StageShape;
  readonly unit: Unit;
  /** By phase: what the ledger knows of it. */
  readonly cells: readonly (Cell | undefined)[];
  readonly startState: PreState | undefined;
  /** Units, or a whole stage, that must be finished before anything of this unit starts. */
  readonly blockedBy: readonly string[];
  /** The unit that is listed before it. */
  readonly before: Unit | undefined;
  /** The plans of the units that were planned before it. */
  readonly units: ReadonlyMap<string, UnitPlan>;
  /** What a result that started from another state than the chain has now is worth. */
  readonly staleState: 'keep' | 'refuse' | 'rerun';
  /** By phase; undefined: not come to yet. */
  readonly decisions: (Decision | undefined)[];
  /** The results of the round before, for inputs that come from later phases. */
  readonly roundBefore: Map<string, CellResult>;
  readonly rounds: Map<Loop, number>;
  readonly notices: Notice[];
  /** Cells whose recorded start state differs because the chain before was made anew. */
  readonly staleStates: Refusal[];
}

/** The round that a phase has come to; 1 for what is in no loop. */
export function roundOf({ shape, rounds }: Walk, at: number): number {
  const loop = shape.loops[at];
  return loop === undefined ? 1 : (rounds.get(loop) ?? 1);
}
