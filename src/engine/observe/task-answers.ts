import type { JsonObject } from '../../base/json.ts';
import type { Decided } from '../../ledger/ledger.ts';
import type { Feedback } from '../../ledger/questions.ts';
import type { PauseReason } from '../../model/calls.ts';
import type { Finding } from '../../model/failure.ts';
import type { Notice, RunReason } from '../../model/reason.ts';
import type { RunHeading } from '../open/find-run.ts';
import type { StaleRun } from './stale-answer.ts';

/** What the use cases around claimed work answer: facts for `report` to put into words. */

/**
 * Where a unit stands as those see it who work on it.
 *
 * - `pending`: something that it needs is not done.
 * - `ready`: nobody has it, and it can be claimed or run now.
 * - `claimed`: handed out, and nobody has said yet that work has begun.
 * - `in_progress`: somebody is at it; or was, see `inDoubt`.
 * - `implemented`: some of its phases are done, and a later one (a verifier's) is not.
 * - `done`: finished and proven.
 * - `failed`: its last attempt failed; it may be claimed again while it has attempts left.
 * - `blocked`: somebody has to do something about it first.
 */
export type TaskState =
  | 'pending'
  | 'ready'
  | 'claimed'
  | 'in_progress'
  | 'implemented'
  | 'done'
  | 'failed'
  | 'blocked';

/** One unit as those see it who work on it. */
export interface TaskView {
  readonly unit: string;
  readonly title: string | undefined;
  readonly stage: string;
  readonly state: TaskState;
  /** Could be claimed or run now. */
  readonly runnable: boolean;
  /** Started, and whoever had it is gone or silent: nobody knows what came of it. */
  readonly inDoubt: boolean;
  /** The phase that comes next or is under way; undefined: none is left. */
  readonly phase: string | undefined;
  /** Who may claim that phase; undefined: Pawl runs it itself. */
  readonly role: string | undefined;
  /** Who has it, and until when; of a silent holder too. */
  readonly claim: TaskClaim | undefined;
  readonly attempts: number;
  readonly needs: readonly string[];
  readonly priority: number | undefined;
  /** Units with a live claim that touch the same. */
  readonly conflicts: readonly string[];
  /** Why it is blocked or failed. */
  readonly reason: string | undefined;
  /** What a person has to decide before it goes on; without an id it was not asked yet. */
  readonly asks?: { readonly id: string | undefined; readonly name: string };
  /** When it was done. */
  readonly doneAt: string | undefined;
}

export interface TaskClaim {
  readonly unit: string;
  readonly phase: string;
  readonly actor: string;
  /** The fencing number: what is done under a lower one is refused. */
  readonly attempt: number;
  readonly until: string;
  readonly live: boolean;
}

export type TaskCounts = Readonly<Record<TaskState, number>> & {
  readonly total: number;
  readonly runnable: number;
  readonly inDoubt: number;
};

/** A claimed task, with everything that is needed to do it. */
export interface HandedTask {
  readonly unit: string;
  readonly title: string | undefined;
  readonly stage: string;
  readonly phase: string;
  readonly role: string;
  /** The fencing number too: hand it back with the completion. */
  readonly attempt: number;
  readonly iteration: number;
  readonly actor: string;
  readonly why: RunReason;
  /** When the lease runs out unless it is renewed. */
  readonly leaseUntil: string;
  readonly leaseMs: number;
  /** `continue`: an attempt before this one was cut off; what it left is in `previous`. */
  readonly mode: 'fresh' | 'continue';
  readonly previous: string | undefined;
  /** What earlier attempts have made, by output. */
  readonly existing?: Readonly<Record<string, string>>;
  /** What was said of earlier results. */
  readonly feedback?: readonly Feedback[];
  /** The unit's own fields. */
  readonly data: JsonObject;
  readonly params: JsonObject;
  readonly prompt: { readonly system: string | undefined; readonly text: string } | undefined;
  /** Paths relative to the workspace. */
  readonly inputs: readonly { readonly name: string; readonly path: string }[];
  readonly outputs: readonly {
    readonly name: string;
    readonly path: string;
    readonly check: string | undefined;
    readonly optional: boolean;
  }[];
  /** Files of the workspace that have to be there when it is done. */
  readonly files: readonly string[];
  /** The attempt's own folder, for notes and drafts. */
  readonly folder: string;
}

/** `pawl next` and `pawl start`. */
export interface NextAnswer {
  readonly heading: RunHeading;
  readonly actor: string;
  readonly task: HandedTask | undefined;
  /** Why there is none. */
  readonly none: NoTask | undefined;
  /** What the actor has claimed besides. */
  readonly holding: readonly TaskClaim[];
  readonly tasks: TaskCounts;
  readonly notices: readonly Notice[];
  readonly findings: readonly Finding[];
}

export type NoTask =
  /** Everything is done. */
  | { readonly code: 'all-done' }
  /** Work is under way or claimed by others, and more may come of it. */
  | {
      readonly code: 'nothing-now';
      readonly claimed: number;
      /** When the first lease runs out. */
      readonly nextAt: string | undefined;
      /** Ready, but they touch what a claimed one touches. */
      readonly heldBack: readonly string[];
    }
  /** The next step is Pawl's own: `pawl run`. */
  | { readonly code: 'for-the-runner'; readonly cells: readonly string[] }
  /** There is work, but for other roles. */
  | { readonly code: 'other-role'; readonly roles: readonly string[] }
  /** A person has to decide first. */
  | { readonly code: 'asks-person'; readonly cells: readonly string[] }
  /** What is left has failed for good, is blocked, or waits for such. */
  | { readonly code: 'stuck'; readonly failed: readonly string[]; readonly blocked: readonly string[] };

/** What was done with a task: complete, fail, block, unblock, heartbeat, release. */
export interface TaskAnswer {
  readonly heading: RunHeading;
  readonly act: 'completed' | 'failed' | 'blocked' | 'unblocked' | 'renewed' | 'released';
  readonly actor: string;
  readonly unit: string;
  /** Undefined where it is about the whole unit. */
  readonly phase: string | undefined;
  readonly attempt: number | undefined;
  /** The new end of the lease; only of `renewed`. */
  readonly leaseUntil: string | undefined;
  readonly reason: string | undefined;
  /** What was recorded; only of `completed`. */
  readonly outputs: readonly { readonly name: string; readonly path: string; readonly hash: string }[];
  readonly files: readonly { readonly path: string; readonly hash: string }[];
  /** It had been recorded before: nothing was changed. */
  readonly again: boolean;
  /** The unit is finished. */
  readonly finished: boolean;
  /** Units that can be claimed or run now, and could not before. */
  readonly opened: readonly string[];
  readonly tasks: TaskCounts;
}

/** Units with what they need, for a picture. */
export interface GraphAnswer {
  readonly heading: RunHeading;
  readonly stages: readonly {
    readonly name: string;
    readonly phases: readonly string[];
    /** Its units are not listed yet. */
    readonly isOpen: boolean;
    readonly tasks: readonly TaskView[];
  }[];
  readonly tasks: TaskCounts;
  readonly findings: readonly Finding[];
}

/** How a run stands before it is gone on with: what somebody needs to know who comes to it anew. */
export interface ResumeAnswer {
  readonly heading: RunHeading;
  /** The number of the stage that the run has come to, from 0, and its name. */
  readonly phase: { readonly number: number; readonly name: string; readonly of: number };
  /** Of the stage with the most units. */
  readonly tasks: TaskCounts;
  readonly lastActivity: string;
  readonly lastCompleted: { readonly unit: string; readonly title: string | undefined } | undefined;
  readonly next: NextAction;
  /** Set when nothing has happened for longer than the manifest allows. */
  readonly stale: StaleRun | undefined;
  readonly inDoubt: readonly TaskClaim[];
  /** What was decided on the way; the newest last. */
  readonly decisions: readonly Decided[];
  readonly notices: readonly Notice[];
  readonly findings: readonly Finding[];
}

export type NextAction =
  | { readonly code: 'run-phases'; readonly cells: readonly string[] }
  | { readonly code: 'claim-task'; readonly unit: string; readonly title: string | undefined }
  | { readonly code: 'wait-for-claims'; readonly claims: readonly TaskClaim[] }
  | { readonly code: 'decide'; readonly cells: readonly string[] }
  | { readonly code: 'refused'; readonly guards: readonly string[] }
  | { readonly code: 'unblock'; readonly units: readonly string[] }
  | { readonly code: 'look-at-failure'; readonly cells: readonly string[] }
  /** Providers asked to wait; until then nothing can run. */
  | {
      readonly code: 'wait-for-provider';
      readonly cells: readonly string[];
      readonly until: string;
      readonly pause: PauseReason;
    }
  | { readonly code: 'nothing' };

/** What was looked at before a run is gone on with: one finding of one check, and what follows from it. */
export interface ValidationRow {
  readonly check: ValidationCheck;
  readonly result: ValidationResult;
  /** How many it is true of. */
  readonly count: number;
  /** How many were looked at. */
  readonly of: number;
  /** The first of them; of what is in order only decisions are listed. */
  readonly subjects: readonly ValidatedSubject[];
  /** What becomes of them; undefined: nothing has to. */
  readonly follows: Consequence | undefined;
}

/**
 * - `sources`: what results were made from: the manifest, templates, declared files, and outputs with `on_edit: ask`.
 * - `artifacts`: the outputs of what is done.
 * - `unfinished`: what there is of the output of phases that were under way, or that come next.
 * - `checks`: the content of outputs that have a check.
 * - `questions`: what people were asked.
 */
export type ValidationCheck = 'sources' | 'artifacts' | 'unfinished' | 'checks' | 'questions';

export type ValidationResult =
  /** As it was recorded, or passed, or decided. */
  | 'ok'
  /** Other bytes than were recorded. */
  | 'changed'
  | 'missing'
  /** Bytes that nobody can have meant; of `checks`: it does not pass. */
  | 'damaged'
  /** Every output that is owed lies there; nobody has said that it is done. */
  | 'complete'
  /** Some of it lies there. */
  | 'partial'
  /** There is nothing to look at. */
  | 'none'
  /** A person has to answer. */
  | 'asks';

export interface ValidatedSubject {
  /** Relative to the workspace, or a place in the manifest such as `units.a`. */
  readonly path?: string;
  readonly unit?: string;
  readonly phase?: string;
  /** The number of the attempt that is unfinished. */
  readonly attempt?: number;
  /** What was left of it, relative to the workspace. */
  readonly files?: readonly string[];
  /** The question, and what it is called. */
  readonly id?: string;
  readonly name?: string;
  /** Why a check fails, or what was decided. */
  readonly detail?: string;
}

export type Consequence =
  /** A person is asked before it goes on. */
  | { readonly code: 'asks-person' }
  /** Nothing is run while it is so. */
  | { readonly code: 'refused' }
  /** It would be refused, but an option of this call allows it. */
  | { readonly code: 'allowed' }
  /** A person has decided that results are kept. */
  | { readonly code: 'keeps' }
  /** A person has decided that everything from this phase on is done again. */
  | { readonly code: 'restarts'; readonly from: string }
  /** The manifest takes an edit in; what depends on it runs again. */
  | { readonly code: 'adopts' }
  /** The recorded bytes are put back. */
  | { readonly code: 'restores' }
  /** The phase runs again, or what was made from the file does. */
  | { readonly code: 'runs-again' }
  /** The next attempt is handed what there is, and goes on with it. */
  | { readonly code: 'continues' }
  /** Nobody has said that it is a result: it is moved aside when the phase runs. */
  | { readonly code: 'moves-aside' }
  /** Somebody is at it. */
  | { readonly code: 'waits' }
  /** It cannot go on by itself. */
  | { readonly code: 'stops' }
  /** A provider asked to wait until then. */
  | { readonly code: 'paused'; readonly until: string };
