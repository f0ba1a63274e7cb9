import type { Phase } from '../../model/definition.ts';

/** What a page has to know of a phase: what the pipeline says of it, and how the plan has it. */
export interface StatusPhase {
  readonly name: string;
  /** The names of its outputs, in the order of the manifest. */
  readonly outputs: readonly string[];
  readonly when: Phase['when'];
  readonly gate: StatusGate | undefined;
  /**
   * - `done`: its result stands. Only a plan knows: a gate may have sent it back, or a file may be gone.
   * - `skipped`: it need not run.
   * - `open`: anything else.
   */
  readonly standing: 'done' | 'skipped' | 'open';
  /** The round of its loop that it stands in; 1 outside of loops. */
  readonly round: number;
}

export interface StatusGate {
  /** The phase that a bad verdict goes back to. */
  readonly backTo: string;
  /** How often the loop may run in all. */
  readonly iterations: number;
  /** In how many rounds the same defect may be found; undefined: no limit. */
  readonly cluster?: number | undefined;
}
