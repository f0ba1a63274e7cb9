import type { ModelParameters } from '../model/definition.ts';
import type { Cost, Judgement, PauseReason } from '../model/event.ts';
import type { AttemptFailure } from '../model/failure.ts';
import type { BudgetShortfall, RunReason } from '../model/reason.ts';

/**
 * What an observer receives while a plan is carried out. Nothing is decided by it. `usd`: what the attempt's call of a model
 * has cost; absent: there was none, or its price is not known.
 */
export type Progress =
  | {
      readonly type: 'attempt-started';
      readonly unit: string;
      readonly phase: string;
      readonly attempt: number;
      readonly iteration: number;
      readonly why: RunReason;
    }
  | {
      readonly type: 'attempt-succeeded';
      readonly unit: string;
      readonly phase: string;
      readonly attempt: number;
      readonly iteration: number;
      readonly ms: number;
      readonly verdict: string | undefined;
      /** What its gate made of it. */
      readonly judged: Judgement | undefined;
      /** `RUN UNIT/PHASE#ATTEMPT`: its result, or its model's answer, was taken from there. */
      readonly reused?: string;
      readonly usd?: number;
    }
  | {
      readonly type: 'attempt-failed';
      readonly unit: string;
      readonly phase: string;
      readonly attempt: number;
      readonly ms: number;
      readonly failure: AttemptFailure;
      readonly retryInMs: number | undefined;
      readonly usd?: number;
    }
  | {
      readonly type: 'attempt-interrupted';
      readonly unit: string;
      readonly phase: string;
      readonly attempt: number;
      readonly usd?: number;
    }
  | {
      /** A provider or the step itself asked to wait. */
      readonly type: 'attempt-paused';
      readonly unit: string;
      readonly phase: string;
      readonly attempt: number;
      readonly ms: number;
      readonly reason: PauseReason;
      readonly until: string;
      readonly usd?: number;
    }
  /** A person has to decide on what was made, or on how to go on: it is no longer as good as done. */
  | { readonly type: 'person-asked'; readonly unit: string; readonly phase: string }
  /** Nothing can start before then: a provider asked to wait, or so many calls a minute are the limit. */
  | { readonly type: 'waiting'; readonly until: string }
  | {
      /** A model was asked, or did not have to be. */
      readonly type: 'call-ended';
      readonly unit: string;
      readonly phase: string;
      readonly attempt: number;
      readonly provider: string;
      /** As asked, and as answered. */
      readonly model: string;
      readonly answered: string | undefined;
      readonly parameters: ModelParameters;
      readonly request: string | undefined;
      readonly finish: string | undefined;
      readonly ms: number;
      readonly firstMs: number | undefined;
      readonly usage: Cost;
      readonly usd: number | undefined;
      readonly failure: string | undefined;
      readonly reused: boolean;
    }
  | {
      /** What is reserved for attempts under way leaves no room in a budget for more: so many go on at once. */
      readonly type: 'budget-narrowed';
      readonly atOnce: number;
      /** Nothing was said of it before in this invocation. */
      readonly isFirst: boolean;
    }
  /** What is planned is expected to cost more than a budget has left. */
  | { readonly type: 'budget-short'; readonly short: BudgetShortfall }
  | { readonly type: 'output-restored'; readonly unit: string; readonly phase: string; readonly path: string }
  | { readonly type: 'file-set-aside'; readonly path: string; readonly to: string }
  /** A document that was kept before the run was taken over. */
  | { readonly type: 'brief-imported'; readonly path: string; readonly backup: string }
  | { readonly type: 'leftover-ended'; readonly unit: string; readonly phase: string; readonly pid: number }
  | { readonly type: 'unit-finished'; readonly unit: string };
