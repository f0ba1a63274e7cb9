import type { Phase, Unit } from '../model/definition.ts';
import type { RunReason } from '../model/reason.ts';
import type { RenderedPrompt } from '../pipeline/loaded.ts';
import type { MadeFrom } from '../planner/plan.ts';
import type { TaskInputs } from './inputs.ts';

/** One cell that the plan says to run. */
export interface Assignment {
  readonly unit: Unit;
  readonly phase: Phase;
  readonly iteration: number;
  readonly why: RunReason;
  readonly made: MadeFrom;
}

/** An attempt with everything that it needs, before it costs anything. */
export interface Attempt extends Assignment {
  readonly number: number;
  readonly taken: TaskInputs;
  readonly prompt: RenderedPrompt | undefined;
}
