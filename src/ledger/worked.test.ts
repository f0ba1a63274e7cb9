import { describe, expect, it } from 'vitest';
import { noteWorked, type WorkedTime, workedMs } from './spent.ts';

const minute = (minutes: number) => new Date(Date.UTC(2026, 10, 15, 12, minutes)).toISOString();

function worked(
  ...events: readonly ['run_created' | 'run_resumed' | 'stop_requested' | 'run_ended', number][]
) {
  const time: WorkedTime = { ms: 0, since: undefined, until: '' };
  for (const [type, at] of events) noteWorked(time, { type, at: minute(at) });
  return time;
}

describe('the time that processes have worked on a run', () => {
  it('leaves the pauses between them out', () => {
    const time = worked(['run_created', 0], ['run_ended', 2], ['run_resumed', 30], ['run_ended', 33]);
    expect(workedMs(time)).toBe(5 * 60_000);
    expect(workedMs(time, minute(50))).toBe(5 * 60_000);
  });

  it('counts a killed process up to the last event that it wrote', () => {
    const time = worked(['run_created', 0], ['stop_requested', 4], ['run_resumed', 30], ['run_ended', 31]);
    expect(workedMs(time)).toBe(5 * 60_000);
  });

  it('goes on while a process works on it', () => {
    const time = worked(['run_created', 0], ['stop_requested', 4]);
    expect(workedMs(time)).toBe(4 * 60_000);
    expect(workedMs(time, minute(10))).toBe(10 * 60_000);
  });
});
