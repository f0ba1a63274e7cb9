import type { AttemptFailureReason } from './attempt-failure.ts';

/** What can go wrong between a run and those who work on it from outside. */
export type TaskFailure =
  | {
      /** Somebody else has claimed it since, has done it, or nobody has it. */
      readonly reason: 'claim-lost';
      readonly unit: string;
      readonly phase: string;
      readonly actor: string;
      /** The number that was given, and the one that counts. */
      readonly attempt: number | undefined;
      readonly current: number;
      /** Who has it now, under the number that counts; it may be the same actor. */
      readonly holder: { readonly actor: string; readonly until: string } | undefined;
      /** Where what was left was kept, relative to the workspace. */
      readonly aside: string | undefined;
    }
  /** A check of its outputs starts a program of the manifest, and this user has never run that manifest. */
  | {
      readonly reason: 'never-run';
      readonly unit: string;
      readonly phase: string;
      /** The hash of the manifest's content, which `PAWL_TRUST` can name. */
      readonly manifest: string;
    }
  | { readonly reason: 'not-claimed'; readonly unit: string; readonly actor: string }
  | {
      /** An input or the prompt of a task that was to be handed out. */
      readonly reason: 'cannot-prepare';
      readonly unit: string;
      readonly phase: string;
      readonly failure: AttemptFailureReason;
      readonly detail: string;
    }
  | {
      /** What has to be there when the work is done is not, or does not pass its check. */
      readonly reason: 'completion-incomplete';
      readonly unit: string;
      readonly phase: string;
      readonly problems: readonly CompletionProblem[];
    }
  | {
      /** It was asked for by name and cannot be claimed now. */
      readonly reason: 'not-claimable';
      readonly unit: string;
      readonly why:
        | 'done'
        | 'claimed'
        | 'blocked'
        | 'failed'
        | 'waits'
        | 'for-the-runner'
        | 'asks-person'
        | 'conflict'
        /** It is listed no longer. */
        | 'removed';
      /** Who or what it waits for. */
      readonly for: readonly string[];
    };

/** One thing that keeps work from counting as done. */
export interface CompletionProblem {
  /** An output's name; undefined: a file of the workspace. */
  readonly output: string | undefined;
  readonly path: string;
  readonly problem: AttemptFailureReason;
  readonly detail: string;
}
