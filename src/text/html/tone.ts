import { unreachable } from '../../base/result.ts';
import type { InspectedAttempt } from '../../engine/observe/inspected.ts';
import type { RunStatus, StepStatus } from '../../model/status.ts';

/** What a colour says; never said by a colour alone. */
export type Tone = 'good' | 'bad' | 'warn' | 'live' | 'idle';

export function unitTone(status: StepStatus | undefined): Tone {
  switch (status) {
    case 'succeeded':
      return 'good';
    case 'failed':
    case 'blocked':
      return 'bad';
    case 'outdated':
    case 'waiting_human':
    case 'interrupted':
    case 'paused':
      return 'warn';
    case 'running':
      return 'live';
    case 'ready':
    case 'pending':
    case 'skipped':
    case undefined:
      return 'idle';
    default:
      return unreachable(status);
  }
}

export function runTone(status: RunStatus): Tone {
  switch (status) {
    case 'completed':
      return 'good';
    case 'failed':
    case 'cancelled':
      return 'bad';
    case 'running':
      return 'live';
    case 'waiting_human':
    case 'paused':
    case 'stopped':
    case 'interrupted':
      return 'warn';
    default:
      return unreachable(status);
  }
}

/** Of an attempt with the one that judged it. */
export function tryTone(
  { outcome, superseded }: InspectedAttempt,
  judged: InspectedAttempt | undefined,
): Tone {
  switch (outcome) {
    case 'failed':
      return 'bad';
    case 'interrupted':
    case 'paused':
    case 'in-doubt':
      return 'warn';
    case 'running':
      return 'live';
    case 'released':
      return 'idle';
    case 'succeeded':
      if (judged?.passed === false) return judged.decision?.is === 'approved' ? 'good' : 'bad';
      return superseded === undefined ? 'good' : 'idle';
    default:
      return unreachable(outcome);
  }
}
