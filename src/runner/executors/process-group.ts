import type { Clock } from '../../base/clock.ts';
import type { Host } from '../../disk/host.ts';
import type { ProcessStarted } from '../../model/event.ts';

const politeMs = 2_000;
const stepMs = 20;

export function killGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    // No such group any more: that is what was wanted.
    return false;
  }
}

/** Asks a group to end, and makes it end when it does not. */
export async function endGroup(run: { clock: Clock }, pid: number, ended: Promise<unknown>): Promise<void> {
  killGroup(pid, 'SIGTERM');
  const patience = new AbortController();
  await Promise.race([ended, run.clock.sleep(politeMs, patience.signal)]);
  patience.abort();
  killGroup(pid, 'SIGKILL');
  await ended;
}

/**
 * Is the process group of an attempt whose runner died still there? A pid is not given out again while a group of
 * that number exists, so an orphaned group without its leader is still ours; a leader that started at another
 * time is somebody else's.
 */
export function isLeftover(host: Host, left: ProcessStarted): boolean {
  if (left.host !== host.self.host || left.boot !== host.self.boot) return false;
  const started = host.startedAt(left.pid);
  if (started !== undefined) return started === left.started;
  return groupExists(left.pid);
}

/** Ends a leftover group and waits until it is gone: its phase must not run twice at once. */
export async function endLeftover(host: Host, clock: Clock, left: ProcessStarted): Promise<void> {
  killGroup(left.pid, 'SIGTERM');
  // What is still listed long after SIGKILL is a zombie that was not reaped: it runs nothing any more.
  for (
    let waited = 0;
    waited < 2 * politeMs && isLeftover(host, left) && groupExists(left.pid);
    waited += stepMs
  ) {
    if (waited >= politeMs) killGroup(left.pid, 'SIGKILL');
    await clock.sleep(stepMs);
  }
}

function groupExists(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
