import type { Hash } from '../../base/hash.ts';
import type { Cost } from '../../model/event.ts';
import type { Spending } from '../../model/reason.ts';
import type { RunHeading } from '../open/find-run.ts';

/** What is told of calls of models: what they have cost, and what would be sent. */

export interface CostAnswer {
  /** Undefined: over all runs. */
  readonly heading: RunHeading | undefined;
  readonly by: CostBy;
  /** Most spent first. */
  readonly rows: readonly CostRow[];
  readonly total: CostRow;
  /** Whether or not they are reached. */
  readonly budgets: readonly Spending[];
  /** Models without a known price: their tokens are counted, their cost is not. */
  readonly unpriced: readonly string[];
}

export type CostBy = 'phase' | 'model' | 'unit' | 'run';

export interface CostRow {
  readonly name: string;
  /** That were made, and answered. */
  readonly calls: number;
  readonly spent: Cost;
  /** Of what was spent: attempts that failed, or whose result was superseded. */
  readonly wasted: Cost;
  /** Answers that were reused instead of paid. */
  readonly saved: Cost;
  /** Sent, and no answer is on record. */
  readonly inDoubt: { readonly calls: number; readonly usd: number };
}

/** What would be sent to a model, and how that differs from what was. */
export interface PromptAnswer {
  readonly heading: RunHeading | undefined;
  readonly unit: string;
  readonly phase: string;
  /** The one that was sent a prompt last; undefined: none was. */
  readonly attempt: number | undefined;
  /** Undefined: no model is asked. */
  readonly model: string | undefined;
  readonly system: string | undefined;
  readonly text: string;
  readonly hash: Hash;
  /** As far as they can be told without asking. */
  readonly tokens: number;
  /** In USD; undefined: no price is known. */
  readonly estimate: number | undefined;
  readonly attachments: readonly PromptAttachment[];
  /** Of the prompt that was sent last. */
  readonly lastHash: Hash | undefined;
  /** Unified, from the one sent last to this one; empty: they are the same; undefined: it was not asked for. */
  readonly diff: string | undefined;
  /** Inputs that are not there yet. */
  readonly unavailable?: { readonly reason: string; readonly detail: string };
}

export interface PromptAttachment {
  readonly name: string;
  readonly path: string;
  readonly size: number;
}
