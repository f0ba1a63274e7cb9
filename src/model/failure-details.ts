import type { AttemptFailureReason } from './attempt-failure.ts';

/** What can go wrong between a run and those who work on it from outside. */
export type TaskFailure =
  | {
      /** Another actor has claimed or done it since, or no actor has it. */
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

/** Earlier results cannot be brought back. */
export type RestoreFailure =
  | {
      /** No decision stands that could be taken back; with `redo`: no undo, or something was decided since. */
      readonly reason: 'nothing-to-undo';
      readonly run: string;
      readonly redo?: true;
      /** Another decision than the one that was shown is the newest by now. */
      readonly isOther?: true;
    }
  | ({ readonly reason: 'cannot-restore'; readonly command: 'undo' | 'restore' } & WhyNotRestored);

export type WhyNotRestored =
  /** A person answered a question about the newer result. */
  | {
      readonly why: 'approved';
      readonly step: string;
      readonly id: string;
      readonly decision: 'approved' | 'rejected';
    }
  /** An agent or a person claimed the step since. */
  | { readonly why: 'claimed'; readonly step: string; readonly by: string }
  /** An output was edited by hand and not adopted. */
  | { readonly why: 'edited'; readonly step: string; readonly path: string }
  /** The content store no longer has the bytes. */
  | { readonly why: 'bytes-gone'; readonly step: string; readonly path: string }
  /** It is the answer to a question, which stays on record. */
  | { readonly why: 'answered' }
  /** The attempt has no result. */
  | {
      readonly why: 'no-result';
      readonly step: string;
      readonly attempt: number;
      readonly valid: readonly number[];
    }
  /** It is the result already. */
  | { readonly why: 'current'; readonly step: string; readonly attempt: number };

/** Why a run that other tools have begun is not taken over. */
export type ForeignLogFailure =
  /** Only other tools have written to it: it has to be taken over first. */
  | { readonly reason: 'told-only'; readonly run: string }
  | { readonly reason: 'import-check-failed'; readonly artifacts: readonly RejectedImport[] };

/** A file that another tool's log is past, and that fails a check of this manifest. */
export interface RejectedImport {
  readonly unit: string;
  readonly phase: string;
  readonly path: string;
  readonly check: string;
  readonly detail: string;
}

export interface RunChoice {
  readonly id: string;
  readonly pipeline: string;
  readonly identity: Readonly<Record<string, string>>;
  readonly status: string;
  readonly updated: string;
  /** Steps that have a result; absent where it is not known. */
  readonly steps?: number;
}

/** Files at the output paths of a new run that no run of the workspace recorded. */
export interface ExistingFiles {
  /** As a person types it. */
  readonly workspace: string;
  readonly paths: readonly string[];
  /** How many of them have a check, so that they can be adopted. */
  readonly checked: number;
  /** `--fresh` was given. */
  readonly fresh: boolean;
}

/** Recorded bytes are wanted, and the content store does not have them. */
export interface MissingObject {
  readonly reason: 'object-missing';
  readonly path: string;
  readonly hash: string;
  /** There are bytes under its name, and others than those that were recorded. */
  readonly damaged?: boolean;
  /** A missing output was to be put back from them. */
  readonly restoring?: boolean;
}
