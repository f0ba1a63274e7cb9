import { expect, it } from 'vitest';
import { isDone, isOver, isTerminal, type RunStatus, type StepStatus } from './status.ts';

it('a run is over when it is complete, or ended for good', () => {
  const statuses: Readonly<Record<RunStatus, readonly string[]>> = {
    running: [],
    waiting_human: [],
    paused: [],
    stopped: [],
    interrupted: [],
    completed: ['over'],
    failed: ['over', 'terminal'],
    cancelled: ['over', 'terminal'],
  };
  for (const [status, is] of Object.entries(statuses)) {
    expect(isOver(status as RunStatus), status).toBe(is.includes('over'));
    expect(isTerminal(status as RunStatus), status).toBe(is.includes('terminal'));
  }
});

it('a cell is done when it succeeded, or need not run', () => {
  const statuses: Readonly<Record<StepStatus, boolean>> = {
    pending: false,
    ready: false,
    running: false,
    succeeded: true,
    outdated: true,
    failed: false,
    blocked: false,
    waiting_human: false,
    paused: false,
    interrupted: false,
    skipped: true,
  };
  for (const [status, done] of Object.entries(statuses))
    expect(isDone(status as StepStatus), status).toBe(done);
});
