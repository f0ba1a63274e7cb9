import type { Phase, Unit } from '../model/definition.ts';
import type { Cost } from '../model/event.ts';
import type { RunReason } from '../model/reason.ts';
import type { RenderedPrompt } from '../pipeline/loaded.ts';
import type { MadeFrom } from '../planner/plan.ts';
import type { TaskInputs } from './input-file.ts';
import type { PreparedCall } from './models/prepared-call.ts';

/** One cell that the plan says to run. */
export interface ReadyStep {
  readonly unit: Unit;
  readonly phase: Phase;
  readonly round: number;
  readonly why: RunReason;
  readonly made: MadeFrom;
}

/** An attempt with everything that it needs, before it costs anything. */
export interface Attempt extends ReadyStep {
  readonly number: number;
  readonly taken: TaskInputs;
  readonly prompt: RenderedPrompt | undefined;
  /** What a model will be asked. */
  readonly call?: PreparedCall | undefined;
}

/** Where a result was taken from instead of running its step. */
export interface Reused {
  /** `RUN UNIT/PHASE#ATTEMPT`. */
  readonly reused: string;
  /** What that had cost. */
  readonly saved?: Cost;
}
