/** What the cells of a plan would ask of models, as far as that can be told before it is asked. */
export interface PlannedCalls {
  readonly models: readonly PlannedModel[];
  /** In USD: of all that have a price. */
  readonly usd: number;
}

export interface PlannedModel {
  readonly model: string;
  readonly phases: readonly string[];
  /** Calls whose prompt is known, and those that wait for something. */
  readonly ready: number;
  readonly waiting: number;
  /** Of the prompts that are known. */
  readonly inputTokens: number;
  /** What they may cost at most; those that wait by what their phase has cost so far, or by the others. Undefined: no price. */
  readonly usd: number | undefined;
}
