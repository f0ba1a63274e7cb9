/** What the steps of a plan would ask of models, and what they would cost, as far as that can be told before. */
export interface PlannedCalls {
  readonly models: readonly PlannedModel[];
  /** Phases that ask no model, and whose attempts said so far what they cost. */
  readonly others: readonly PlannedPhase[];
  /** In USD: what all that have a price are expected to cost, and what they may cost at most. */
  readonly usd: number;
  readonly usdMax: number;
  /** Budgets in money and tokens, and what is left of each. */
  readonly budgets: readonly PlannedBudget[];
  /** By phase: what budgets are compared with. */
  readonly phases: readonly PlannedPhase[];
}

export interface PlannedModel {
  readonly model: string;
  readonly phases: readonly string[];
  /** Calls whose prompt is known, and those that wait for something. */
  readonly ready: number;
  readonly waiting: number;
  /** Of the prompts that are known. */
  readonly inputTokens: number;
  /**
   * What the calls are expected to cost: by the median of the calls of their phase in this run, before the first of these
   * by `max_tokens`. Undefined: no price.
   */
  readonly usd: number | undefined;
  /** What they may cost at most: by the longest answers. */
  readonly usdMax: number | undefined;
  /** Every phase sets `max_tokens`; else answers of 4096 tokens are assumed, and may be longer. */
  readonly isBounded: boolean;
}

export interface PlannedBudget {
  /** Empty: of the whole run. */
  readonly phase: string;
  readonly limit: 'budget_usd' | 'budget_tokens';
  readonly left: number;
  readonly max: number;
}

export interface PlannedPhase {
  readonly phase: string;
  readonly steps: number;
  readonly usd: number;
  readonly tokens: number;
  /** The most that is foreseen; of a phase that asks no model the same as what is expected. */
  readonly usdMax: number;
  readonly tokensMax: number;
  /** What is expected comes from calls of this run. */
  readonly isFromPast: boolean;
}
