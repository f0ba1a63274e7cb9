import type { ConfirmAbove } from './definition.ts';
import type {
  ExistingFiles,
  ForeignLogFailure,
  MissingObject,
  RestoreFailure,
  RunChoice,
  TaskFailure,
} from './failure-details.ts';
import type { PartChange, Refusal } from './reason.ts';

export type {
  AnswerFailureReason,
  AttemptFailure,
  AttemptFailureReason,
  CallFailureReason,
} from './attempt-failure.ts';

/** A policy would run more again than `confirm_above` of the manifest allows without a person's word. */
export interface RerunAbove {
  /** What changed for the steps that run again. */
  readonly changes: readonly PartChange[];
  readonly steps: readonly { readonly unit: string; readonly phase: string }[];
  /** What their calls are expected to cost. */
  readonly usd: number;
  readonly limit: ConfirmAbove;
}

/**
 * What can be expected to go wrong in a use case: a stable reason and the facts. `report` turns it into words, a
 * safe next step and an exit code. A bug is not in this list: it throws.
 */
export type Failure =
  | { readonly reason: 'manifest-not-found'; readonly path: string; readonly near: readonly string[] }
  | {
      readonly reason: 'manifest-invalid';
      readonly file: string;
      readonly problems: readonly Problem[];
      /** What is wrong is not the manifest, but lists of units that the run has made. */
      readonly lists?: readonly MadeList[];
      /** What this invocation had done before. */
      readonly ran?: { readonly succeeded: number; readonly failed: number };
    }
  | { readonly reason: 'usage'; readonly problem: UsageProblem }
  | { readonly reason: 'refused'; readonly refusals: readonly Refusal[] }
  | { readonly reason: 'which-run'; readonly candidates: readonly RunChoice[] }
  | { readonly reason: 'which-workspace'; readonly candidates: readonly string[] }
  | {
      readonly reason: 'no-run';
      readonly workspace: string;
      /** Files were to be adopted, which a new run can do as well. */
      readonly adopting?: true;
    }
  | ({ readonly reason: 'outputs-exist' } & ExistingFiles)
  | {
      /** The run that was named is not one of this manifest. */
      readonly reason: 'run-of-another';
      readonly run: string;
      readonly pipeline: string;
      readonly identity: Readonly<Record<string, string>>;
    }
  /** A document that others keep says nothing that could be understood. */
  | {
      readonly reason: 'document-unreadable';
      readonly path: string;
      readonly problem: string;
      readonly line?: number | undefined;
      readonly column?: number | undefined;
      readonly detail?: string | undefined;
      readonly key?: string | undefined;
    }
  | { readonly reason: 'decision-not-found'; readonly id: string; readonly near: readonly string[] }
  | {
      readonly reason: 'run-not-found';
      readonly id: string;
      readonly near: readonly string[];
      /** Those whose ids begin so, or all of the manifest. */
      readonly candidates?: readonly RunChoice[];
    }
  | {
      readonly reason: 'run-terminal';
      readonly run: string;
      readonly status: string;
      /** The first phase of a completed run, which it can run again from. */
      readonly from?: string;
    }
  /** Nothing has happened to it for long: resuming it needs a confirmation. */
  | {
      readonly reason: 'run-stale';
      readonly run: string;
      readonly idleMs: number;
      readonly limitMs: number;
      /** The commit of the workspace then and now. */
      readonly gitHead: { readonly before: string | undefined; readonly now: string | undefined };
      readonly changed: readonly {
        readonly path: string;
        readonly change: string;
        readonly writtenBy?: string;
      }[];
    }
  | ({ readonly reason: 'rerun-above'; readonly run: string } & RerunAbove)
  | ForeignLogFailure
  | { readonly reason: 'run-held'; readonly run: string; readonly holder: LockOwner }
  | { readonly reason: 'fenced-out'; readonly run: string; readonly holder: LockOwner | undefined }
  | { readonly reason: 'journal-damaged'; readonly run: string; readonly findings: readonly Finding[] }
  | {
      readonly reason: 'disk-failed';
      readonly code: string;
      readonly operation: string;
      readonly path: string;
      /** The journal of the run, relative to the workspace, where it was removed while the run was at work. */
      readonly gone?: string;
    }
  | {
      /** A folder that would be written into leads out of the workspace. */
      readonly reason: 'link-outside';
      /** Relative to the workspace. */
      readonly path: string;
      /** Absolute; undefined: it leads to where nothing is. */
      readonly target: string | undefined;
    }
  | { readonly reason: 'archive-failed'; readonly path: string; readonly detail: string }
  | RestoreFailure
  | { readonly reason: 'nothing-to-adopt'; readonly path: string }
  /** A page that says how far a unit is, and cannot be understood: it is never taken for a fresh start. */
  | { readonly reason: 'status-unclear'; readonly troubles: readonly StatusTrouble[] }
  /** A page that is understood, and that nothing may be built on as it is. */
  | { readonly reason: 'status-blocked'; readonly troubles: readonly StatusTrouble[] }
  | { readonly reason: 'no-such-question'; readonly id: string; readonly open: readonly string[] }
  | {
      /** It was asked, and is no longer open. */
      readonly reason: 'question-closed';
      readonly id: string;
      readonly why: 'decided' | 'changed' | 'superseded' | 'expired';
      readonly decided: { readonly decision: string; readonly by: string; readonly at: string } | undefined;
      /** What is there now instead of what was shown. */
      readonly changes: readonly {
        readonly label: string;
        readonly before: string | undefined;
        readonly after: string | undefined;
      }[];
    }
  | {
      /** A person's word is wanted, and it cannot come this way. */
      readonly reason: 'channel-closed';
      readonly id: string;
      readonly channel: string;
      readonly allowed: readonly string[];
      /** The coding agent that it came from, and the variable that says so. */
      readonly agent?: { readonly client: string; readonly variable: string } | undefined;
    }
  /** A process that belongs to a run tried to decide about a run; undefined: which step it belongs to is not known. */
  | { readonly reason: 'inside-phase'; readonly command: string; readonly cell: string | undefined }
  | { readonly reason: 'nothing-to-repair'; readonly run: string }
  | {
      readonly reason: 'adopt-check-failed';
      readonly path: string;
      readonly check: string;
      readonly detail: string;
    }
  /** Models are to be asked, and what speaks with them is not there, or a key is not set. */
  | { readonly reason: 'provider-missing'; readonly missing: readonly MissingProvider[] }
  | MissingObject
  | { readonly reason: 'module-failed'; readonly path: string; readonly detail: string }
  | TaskFailure;

/** A provider that cannot be asked. */
export interface MissingProvider {
  readonly provider: string;
  readonly phases: readonly string[];
  /** Packages that are not installed, with the versions that fit. */
  readonly packages: readonly string[];
  /** An environment variable that is not set. */
  readonly key: string | undefined;
}

/** What is wrong with a page about a unit. */
export interface StatusTrouble {
  readonly path: string;
  readonly line: number;
  readonly code: string;
  readonly facts: Readonly<Record<string, string | number | readonly string[]>>;
}

/** Who holds a run. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
  /** `unknown`: this machine cannot see whether it still lives. */
  readonly alive: 'alive' | 'unknown';
}

/** A call that cannot be meant, whatever is on disk. */
export type UsageProblem =
  | { readonly code: 'reason-required'; readonly flag: string }
  | { readonly code: 'unknown-phase'; readonly name: string; readonly valid: readonly string[] }
  /** A change was answered by a name that no change has. */
  | { readonly code: 'unknown-change'; readonly name: string; readonly valid: readonly string[] }
  /** One change was given two answers. */
  | { readonly code: 'two-answers'; readonly name: string }
  | { readonly code: 'unknown-unit'; readonly name: string; readonly near: readonly string[] }
  | { readonly code: 'unknown-cell'; readonly name: string; readonly near: readonly string[] }
  | {
      readonly code: 'unknown-attempt';
      readonly cell: string;
      readonly attempt: number;
      readonly valid: readonly number[];
    }
  | { readonly code: 'bad-actor'; readonly name: string }
  | { readonly code: 'unknown-output'; readonly name: string; readonly valid: readonly string[] }
  | { readonly code: 'unknown-role'; readonly name: string; readonly valid: readonly string[] }
  | { readonly code: 'flags-exclude'; readonly flags: readonly string[] }
  | { readonly code: 'needs-flag'; readonly flag: string; readonly with: string }
  /** A word that does not go with what is asked. */
  | {
      readonly code: 'not-for-question';
      readonly id: string;
      readonly word: string;
      readonly isChange: boolean;
    };

/** An artifact that lists units, and the step that made it. */
export interface MadeList {
  readonly unit: string;
  readonly phase: string;
  readonly path: string;
}

/** One thing that is wrong with a manifest, with the place. All that can be seen are listed together. */
export interface Problem {
  readonly code: ProblemCode;
  /** Keys from the top: `phases.write.needs[0]`. */
  readonly path: string;
  /** Where it stands; 1-based. Undefined for a problem of the whole file. */
  readonly place: SourcePlace | undefined;
  /** Facts by name for the message: `found`, `expected`, `suggestion`, `valid`, `limit`, … */
  readonly facts: Readonly<Record<string, string | number | readonly string[]>>;
}

export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The line itself, for the caret. */
  readonly source: string;
}

export type ProblemCode =
  | 'file-too-large'
  | 'file-unreadable'
  | 'not-utf8'
  | 'manifest-empty'
  | 'yaml-syntax'
  | 'yaml-too-deep'
  | 'yaml-too-many-aliases'
  | 'yaml-custom-tag'
  | 'yaml-duplicate-key'
  | 'unknown-key'
  | 'missing-key'
  | 'wrong-type'
  | 'not-one-of'
  | 'out-of-range'
  | 'bad-name'
  | 'reserved-name'
  | 'duplicate-unit'
  | 'no-units'
  | 'unit-source-missing'
  | 'unit-source-not-a-list'
  | 'unknown-unit-need'
  | 'unit-cycle'
  | 'no-phases'
  | 'duplicate-phase'
  | 'unknown-need'
  | 'need-cycle'
  | 'unknown-input'
  | 'input-from-later-phase'
  | 'unknown-file'
  | 'no-unit-file'
  | 'duplicate-output'
  | 'output-not-per-unit'
  | 'path-absolute'
  | 'path-outside'
  | 'path-reserved'
  | 'path-control-character'
  | 'path-through-link'
  | 'pattern-unknown-field'
  | 'template-missing'
  | 'template-too-large'
  | 'template-syntax'
  | 'template-unknown-variable'
  | 'template-includes-itself'
  | 'shell-with-template'
  | 'program-from-unit'
  | 'env-forbidden'
  | 'literal-secret'
  | 'gate-unknown-output'
  | 'gate-back-to-later'
  | 'gate-loops-overlap'
  | 'gate-needs-key'
  | 'when-outside-loop'
  | 'ladder-outside-loop'
  | 'not-the-only-unit'
  | 'state-missing'
  | 'state-needs-chain'
  | 'state-two-writers'
  | 'schema-invalid'
  | 'regex-invalid'
  | 'version-unsupported';

/** Something in a journal or on disk that is not as it should be. Never repaired in silence. */
export interface Finding {
  readonly code: FindingCode;
  /** Relative to the workspace. */
  readonly file: string;
  readonly line?: number;
  readonly lastLine?: number;
  readonly detail?: string;
  /** `loud`: acknowledged data may be lost; `warning`: data of another tool; `quiet`: nothing. */
  readonly weight: 'quiet' | 'warning' | 'loud';
}

export type FindingCode =
  | 'journal-missing'
  | 'first-record-lost'
  | 'torn-tail'
  | 'torn-tail-glued'
  | 'no-final-newline'
  | 'nul-padding'
  | 'broken-utf8'
  | 'garbage-line'
  | 'checksum-differs'
  | 'chain-broken'
  | 'sequence-gap'
  | 'duplicate-event'
  | 'line-out-of-place'
  | 'byte-order-mark'
  | 'carriage-return'
  | 'empty-segment'
  | 'not-an-object'
  | 'unknown-event'
  | 'newer-format'
  | 'header-unreadable'
  | 'void-after-pin'
  | 'segment-shorter-than-pin'
  | 'journal-shorter-than-head'
  | 'line-too-long'
  | 'file-unreadable'
  | 'output-missing'
  | 'output-edited'
  | 'output-of-other-run'
  | 'output-damaged'
  | 'object-missing'
  | 'object-damaged'
  | 'orphan-file'
  | 'file-without-unit'
  | 'projection-differs'
  | 'file-changed'
  | 'file-gone'
  /** A list of units that was edited and cannot be used. */
  | 'unit-list-invalid'
  | 'promotion-unfinished';
