import { readReason } from '../../journal/recorded-reason.ts';
import type { AttemptFailureReason } from '../../model/attempt-failure.ts';
import type { AttemptReason } from '../../model/attempt-reason.ts';
import type { StoredEvent } from '../../model/event.ts';
import type { RunReason } from '../../model/reason.ts';
import type { Progress } from '../requests.ts';

/** What an event tells someone who looks on; undefined: it does not change where a step stands. */
export function progressOf(event: StoredEvent): Progress | undefined {
  switch (event.type) {
    case 'phase_started': {
      const { unit, phase, attempt, iteration = 1 } = event;
      return {
        type: 'attempt-started',
        unit,
        phase,
        attempt,
        iteration,
        why: knownReason(readReason(event)),
      };
    }
    case 'phase_succeeded': {
      const { unit, phase, attempt, iteration = 1, ms, verdict, judged } = event;
      return { type: 'attempt-succeeded', unit, phase, attempt, iteration, ms, verdict, judged };
    }
    case 'phase_failed': {
      const { unit, phase, attempt, ms, message } = event;
      // Read from a file: what a later version calls a failure is shown by its own name.
      const failure = { reason: event.reason as AttemptFailureReason, message };
      return { type: 'attempt-failed', unit, phase, attempt, ms, failure, retryInMs: undefined };
    }
    case 'phase_interrupted': {
      const { unit, phase, attempt } = event;
      return { type: 'attempt-interrupted', unit, phase, attempt };
    }
    case 'phase_paused': {
      const { unit, phase, attempt, ms, reason, until } = event;
      return { type: 'attempt-paused', unit, phase, attempt, ms, reason, until };
    }
    case 'checkpoint_asked':
      return event.unit === '' ? undefined : { type: 'person-asked', unit: event.unit, phase: event.phase };
    default:
      return undefined;
  }
}

/** A reason that this version has no words for is as good as none. */
function knownReason(why: AttemptReason): RunReason {
  return why.code === 'not-recorded' || why.code === 'other-version' ? { code: 'never-ran' } : why;
}
