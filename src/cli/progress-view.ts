import type { RunObserver } from '../engine/run/run-request.ts';

/** Somebody who looks on while a run goes on, and can be told something. */
export interface ProgressView extends RunObserver {
  tell(message: string): void;
  /** The run is over. */
  close(): void;
}

/** What an onlooker is told. */
export type Step = Parameters<RunObserver['progress']>[0];
