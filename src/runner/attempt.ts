import type { Runnable } from '../artifacts/promotion.ts';
import type { Phase, Unit } from '../model/definition.ts';
import type { CallRecord, Cost, PhasePaused } from '../model/event.ts';
import type { RunReason } from '../model/reason.ts';
import type { RenderedPrompt } from '../pipeline/loaded.ts';
import type { MadeFrom } from '../planner/plan.ts';
import type { TaskInputs } from './inputs.ts';
import type { NoAnswer } from './models/in-flight.ts';
import type { PreparedCall } from './models/prepared-call.ts';

/** One cell that the plan says to run. */
export interface ReadyStep {
  readonly unit: Unit;
  readonly phase: Phase;
  readonly iteration: number;
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

/** What an attempt has come to besides its outputs, noted while it goes on. */
export interface Account {
  readonly costs: Cost[];
  call?: CallRecord;
  /** A provider or the step itself asked to wait: the attempt has not failed. */
  pause?: Pick<PhasePaused, 'reason' | 'message' | 'until'>;
  /** Why there is none, where a model was asked. */
  noAnswer?: NoAnswer;
  /** The signal that stops this invocation ended it too. */
  isCutOff?: boolean;
  /** The request of its call was sent, or is about to be. */
  isSent?: boolean;
  /** The result of another run that was taken instead of running the step. */
  from?: Reused;
  /** Lets others go on who wait for the same answer. */
  release?: () => void;
}

/** Where a result was taken from instead of running its step. */
export interface Reused {
  /** `RUN UNIT/PHASE#ATTEMPT`. */
  readonly reused: string;
  /** What that had cost. */
  readonly saved?: Cost;
}

/** What an executor made, before it is hashed, checked and kept. */
export type Produced = {
  readonly response: string | undefined;
  readonly outputs:
    | {
        readonly kind: 'values';
        readonly values: Readonly<Record<string, Uint8Array>>;
        /** Which of them may be executed. */
        readonly runnables?: Readonly<Record<string, Runnable>>;
      }
    /** Files by output name in this folder, absolute. */
    | { readonly kind: 'folder'; readonly folder: string };
};
