/**
 * The status of one step. Derived from the ledger and the plan, never stored.
 *
 * - `pending`: something before it is not done yet. Leaves when what it needs is there.
 * - `ready`: could be started now. Leaves when the runner starts an attempt.
 * - `running`: an attempt was recorded as started and its owner is alive.
 * - `succeeded`: an attempt was recorded, its outputs are verified and its inputs are unchanged.
 * - `outdated`: its result is kept although what it was made from changed. Leaves by a re-run, or when the change is undone.
 * - `failed`: the last attempt failed, or the gate's rounds are used up. Leaves by another attempt.
 * - `blocked`: it cannot continue before a person does something other than decide.
 * - `waiting_human`: a person has to decide.
 * - `paused`: it may continue by itself at a later time.
 * - `interrupted`: an attempt was recorded as started and its owner is gone: in doubt.
 * - `skipped`: its condition says that it need not run.
 */
export type StepStatus =
  | 'pending'
  | 'ready'
  | 'running'
  | 'succeeded'
  | 'outdated'
  | 'failed'
  | 'blocked'
  | 'waiting_human'
  | 'paused'
  | 'interrupted'
  | 'skipped';

/**
 * Where a run stands.
 *
 * - `running`: a living process has its lock.
 * - `waiting_human`: it stopped because a person has to decide. Resumable.
 * - `paused`: it may continue later by itself. Resumable.
 * - `stopped`: a phase failed, a guard refused or a person stopped it. Resumable.
 * - `interrupted`: its owner died without recording an end. Resumable.
 * - `completed`: every step was verified as done. `run` verifies it again, and reopens it where something changed.
 * - `failed`, `cancelled`: terminal. Never resumed or reopened.
 */
export type RunStatus =
  | 'running'
  | 'waiting_human'
  | 'paused'
  | 'stopped'
  | 'interrupted'
  | 'completed'
  | 'failed'
  | 'cancelled';

/** It is never resumed. */
export function isTerminal(status: RunStatus): boolean {
  return status === 'failed' || status === 'cancelled';
}

/** Nothing more is done with it by itself: it is complete, or over for good. */
export function isOver(status: RunStatus): boolean {
  return status === 'completed' || isTerminal(status);
}

/** A step has nothing left to do. */
export function isDone(status: StepStatus): boolean {
  return status === 'succeeded' || status === 'outdated' || status === 'skipped';
}

/** How many steps have which status, before any is counted. */
export function noSteps(): Record<StepStatus, number> {
  return {
    pending: 0,
    ready: 0,
    running: 0,
    succeeded: 0,
    outdated: 0,
    failed: 0,
    blocked: 0,
    waiting_human: 0,
    paused: 0,
    interrupted: 0,
    skipped: 0,
  };
}
