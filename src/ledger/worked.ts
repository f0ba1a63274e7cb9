import { parseTime } from '../base/clock.ts';
import type { StoredEvent } from '../model/event.ts';

/** How long `pawl run` processes have worked on a run, one after the other. The pauses between them do not count. */
export interface WorkedTime {
  /** Of the invocations that are over. */
  ms: number;
  /** When the newest one began; undefined: it has ended. */
  since: string | undefined;
  /** The newest event of a runner. */
  until: string;
}

/** Takes one event of the runner in. An invocation that was killed ends with the last event that it wrote. */
export function noteWorked(worked: WorkedTime, { type, at }: Pick<StoredEvent, 'type' | 'at'>): void {
  if (type === 'run_created' || type === 'run_resumed') {
    worked.ms += openMs(worked);
    worked.since = at;
  }
  worked.until = at;
  if (type !== 'run_ended') return;
  worked.ms += openMs(worked);
  worked.since = undefined;
}

/** Milliseconds in all; `now` where a process still works on it. */
export function workedMs(worked: WorkedTime, now?: string): number {
  return worked.ms + openMs(now === undefined ? worked : { ...worked, until: now });
}

function openMs({ since, until }: WorkedTime): number {
  if (since === undefined) return 0;
  return Math.max(0, (parseTime(until) ?? 0) - (parseTime(since) ?? 0));
}
