import type { Failure, Finding } from '../../model/failure.ts';
import type { Notice, ReachedLimit, Refusal } from '../../model/reason.ts';
import type { SelectionCounts } from '../../planner/plan.ts';
import type { InvocationSpending } from '../../runner/context.ts';
import type { Notification, WaitingFor } from '../../runner/notify/notification.ts';
import type { Stop, WorkOfOthers } from '../../runner/outcome.ts';
import type { Progress } from '../../runner/progress.ts';
import type { Halt } from '../../runner/schedule.ts';
import type { Board, StepCounts } from '../observe/board.ts';
import type { CallInDoubt } from '../observe/open-calls.ts';
import type { TextDiff } from '../observe/text-diff.ts';
import type { RunHeading } from '../open/find-run.ts';
import type { PlanRequest } from '../open/requests.ts';

export interface RunAnswer {
  readonly heading: RunHeading;
  /** `new`: created by this call. `resumed`: taken up again. `unchanged`: proven, and nothing was to be done. */
  readonly kind: 'new' | 'resumed' | 'unchanged';
  /** A completed run that something made open again. */
  readonly reopened: boolean;
  readonly interrupted: boolean;
  /** Calls of models that were cut off and may have been paid; absent: none. */
  readonly inDoubt?: readonly CallInDoubt[];
  readonly cells: StepCounts;
  /** How far the selected steps are; absent: all steps were meant. */
  readonly selection?: SelectionCounts;
  /** What this invocation has spent, where it was given a limit. */
  readonly spending?: InvocationSpending;
  readonly ran: {
    readonly succeeded: number;
    readonly failed: number;
    /** Of those that succeeded: taken from other runs instead of being run; absent: none. */
    readonly reused?: number;
  };
  /** The folders that outputs are put into, for people to type. Absent: nothing was done. */
  readonly outputs?: readonly string[];
  /** Cells that somebody outside has to do. */
  readonly others: WorkOfOthers;
  readonly stops: readonly Stop[];
  /** Limits over all units that keep it from going on. */
  readonly limits: readonly ReachedLimit[];
  /** When the first of what a provider asked to wait for may go on; absent: nothing waits so. */
  readonly retryAt?: string;
  /** Models that nothing more was asked of. */
  readonly halts?: readonly Halt[];
  readonly refusals: readonly Refusal[];
  /** How files differ that a person is asked about. */
  readonly diffs?: readonly TextDiff[];
  readonly notices: readonly Notice[];
  readonly findings: readonly Finding[];
  /** Who was to be told of it, and whether that worked. Absent: nobody was. */
  readonly notifications?: readonly Notification[];
  readonly elapsedMs: number;
}

export interface RunRequest extends PlanRequest {
  /** Go on with a run that is there, and never start one. */
  readonly existingOnly?: boolean | undefined;
  /** Wait for what providers ask to wait for, however long that is, instead of pausing. */
  readonly wait?: boolean | undefined;
  /** How many steps may run at once, instead of `pace.concurrency`. */
  readonly jobs?: number | undefined;
  /** In USD: no step starts once this call of `run` has spent so much. */
  readonly maxUsd?: number | undefined;
  /** Displace a holder of whom nobody can tell whether it lives, or who lives and is stuck. */
  readonly takeover?: boolean | undefined;
  /** A person can be asked: a large re-run is then asked about also where the manifest states the policy. */
  readonly canAsk?: boolean | undefined;
  readonly observer?: RunObserver | undefined;
  /** What `notify` of the manifest is carried out with; undefined: nobody is told. */
  readonly notifying?: Notifying | undefined;
  /** Fires: start nothing more, let what runs end. */
  readonly stop?: AbortSignal | undefined;
  /** Fires: end what runs. */
  readonly interrupt?: AbortSignal | undefined;
}

/** Looks on while a run goes on. */
export interface RunObserver {
  /** Once, when it is known what there is to do. */
  begun(board: Board): void;
  progress(progress: Progress): void;
}

/** What those who are told of the end of a sitting are told with. */
export interface Notifying {
  /** The words for it. */
  words(end: InvocationEnd): Promise<NotificationWords>;
  /** Writes to the terminal that a person looks at. Without one neither `bell` nor `osc9` does anything. */
  readonly terminal?: ((text: string) => void) | undefined;
  /** Somebody could not be told. The answer lists it, too, where there is one. */
  missed?(notification: Notification & { readonly ok: false }): void;
}

/** How a sitting ended. */
export type InvocationEnd =
  | { readonly kind: 'answered'; readonly answer: RunAnswer }
  /** Its end is on record, or cannot be; but there is no answer. */
  | { readonly kind: 'broke-off'; readonly heading: RunHeading; readonly failure: Failure };

export interface NotificationWords {
  /** One line, in which nothing is hidden. */
  readonly message: string;
  readonly waiting: readonly WaitingFor[];
  readonly exitCode?: number;
}

/** The run was made by this same call. */
export function asNew(observer: RunObserver | undefined): RunObserver {
  return {
    begun: (board) => observer?.begun({ ...board, kind: 'new' }),
    progress: (progress) => observer?.progress(progress),
  };
}

/** Notes where each file was moved, because the page of an ended run may lie where the new run's page belongs. */
export function notingMoves(observer: RunRequest['observer'], moved: Map<string, string>): RunObserver {
  return {
    begun: (board) => observer?.begun(board),
    progress: (progress) => {
      if (progress.type === 'file-set-aside') moved.set(progress.path, progress.to);
      observer?.progress(progress);
    },
  };
}

export function withNotesAt(notice: Notice, moved: ReadonlyMap<string, string>): Notice {
  if (notice.code !== 'started-fresh' || notice.notes === undefined) return notice;
  return { ...notice, notes: moved.get(notice.notes) ?? notice.notes };
}
