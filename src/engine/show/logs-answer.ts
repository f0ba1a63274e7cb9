import type { JsonObject } from '../../base/json.ts';
import type { AttemptReason } from '../../model/attempt-reason.ts';
import type { CallRecord, Cost } from '../../model/event.ts';

export interface LogsAnswer {
  readonly unit: string;
  readonly phase: string;
  readonly attempts: readonly {
    readonly attempt: number;
    readonly iteration: number;
    readonly startedAt: string;
    /** Why it was started; absent: its start is lost. */
    readonly why?: AttemptReason;
    readonly outcome: 'succeeded' | 'failed' | 'interrupted' | 'released' | 'paused' | 'running' | 'in-doubt';
    readonly ms: number | undefined;
    readonly call?: CallRecord;
    readonly cost?: Cost;
    readonly failure: string | undefined;
    readonly facts?: JsonObject;
    readonly message: string | undefined;
    readonly superseded: boolean;
    /** Relative to the workspace; undefined: nothing was kept in a folder. */
    readonly folder: string | undefined;
    readonly files: readonly { readonly name: string; readonly text: string; readonly cut: boolean }[];
  }[];
}
