import type { AttemptFailure, AttemptFailureReason } from '../model/attempt-failure.ts';
import type { CallRecord, Cost, StoredEvent } from '../model/event.ts';
import type { AttemptReason, RunReason } from '../model/reason.ts';
import { readReason } from '../store/records/recorded-reason.ts';
import type { RunContext } from './context.ts';
import type { Progress } from './progress.ts';

/**
 * What a recorded event shows to those who look on. The only place where this is decided, so that another process, which
 * has nothing but the journal, shows the same as the one that carries out the plan.
 */
export function recordedProgress(event: StoredEvent): readonly Progress[] {
  switch (event.type) {
    case 'attempt_started': {
      const { unit, phase, attempt, round = 1 } = event;
      const why = knownReason(readReason(event));
      return [{ type: 'attempt-started', unit, phase, attempt, iteration: round, why }];
    }
    case 'attempt_succeeded': {
      const { unit, phase, attempt, round = 1, ms, verdict, judged, call } = event;
      const reused = event.reused ?? call?.reused;
      const ended = { unit, phase, attempt, iteration: round, ms, verdict, judged, ...spentOn(event) };
      return [{ type: 'attempt-succeeded', ...ended, ...(reused !== undefined && { reused }) }];
    }
    case 'attempt_failed':
      return [failedProgress(event)];
    case 'attempt_interrupted': {
      const { unit, phase, attempt, cost } = event;
      const spent = cost?.usd === undefined ? {} : { usd: cost.usd };
      return [{ type: 'attempt-interrupted', unit, phase, attempt, ...spent }];
    }
    case 'attempt_paused': {
      const { unit, phase, attempt, ms, reason, until } = event;
      return [{ type: 'attempt-paused', unit, phase, attempt, ms, reason, until, ...spentOn(event) }];
    }
    case 'outputs_restored': {
      const { unit, phase, outputs } = event;
      return Object.values(outputs).map(({ path }) => ({ type: 'output-restored', unit, phase, path }));
    }
    case 'checkpoint_asked':
      return event.unit === '' ? [] : [{ type: 'person-asked', unit: event.unit, phase: event.phase }];
    case 'brief_imported':
      return [{ type: 'brief-imported', path: event.path, backup: event.backup }];
    default:
      return [];
  }
}

export function observeRecorded(
  { observe }: Pick<RunContext, 'observe'>,
  events: readonly StoredEvent[],
): void {
  for (const event of events) for (const progress of recordedProgress(event)) observe(progress);
}

type AttemptFailed = Extract<Progress, { type: 'attempt-failed' }>;

/** When it is tried again is decided later, by the process that carries out the plan. */
function failedProgress(event: Extract<StoredEvent, { type: 'attempt_failed' }>): AttemptFailed {
  const { unit, phase, attempt, ms, message, facts } = event;
  // Read from a file: what a later version calls a failure is shown by its own name, and its facts are data.
  const reason = event.reason as AttemptFailureReason;
  const failure: AttemptFailure = {
    reason,
    message,
    ...(facts && { facts: facts as Readonly<Record<string, string | number>> }),
  };
  return {
    type: 'attempt-failed',
    unit,
    phase,
    attempt,
    ms,
    failure,
    retryInMs: undefined,
    ...spentOn(event),
  };
}

/** An answer that was taken from an earlier call was paid then. */
function spentOn({ call, cost }: { readonly call?: CallRecord; readonly cost?: Cost }): { usd?: number } {
  if (call === undefined || call.reused !== undefined || cost?.usd === undefined) return {};
  return { usd: cost.usd };
}

/** A reason that this version has no words for is as good as none. */
function knownReason(why: AttemptReason): RunReason {
  return why.code === 'not-recorded' || why.code === 'other-version' ? { code: 'never-ran' } : why;
}
