import type { Environment } from '../open/environment.ts';
import { changedSources, type Sources } from './watched-sources.ts';

/**
 * Waits until sources differ from what was found and have stopped changing, and says which. Undefined: told to stop.
 * Looks at stamps instead of asking the system for notices, because those get lost on network disks and in containers.
 */
export async function waitForChange(
  { disk, clock }: Pick<Environment, 'disk' | 'clock'>,
  sources: Sources,
  stop: AbortSignal,
): Promise<string[] | undefined> {
  let seen = '';
  while (!stop.aborted) {
    const beganMs = clock.monotonicMs();
    const changed = changedSources(disk, sources);
    const stamps = changed.length === 0 ? '' : stampsOf(disk, changed);
    // An editor writes a file in several steps: it is left alone until two looks find the same.
    if (stamps !== '' && stamps === seen) return changed;
    seen = stamps;
    // However many files there are, most of the time is spent asleep.
    const tookMs = clock.monotonicMs() - beganMs;
    await clock.sleep(Math.max(lookEveryMs, tookMs * restPerLook), stop);
  }
  return undefined;
}

function stampsOf(disk: Environment['disk'], paths: readonly string[]): string {
  return paths
    .map((path) => {
      const stat = disk.stat(path);
      return `${path} ${stat?.size} ${stat?.mtimeMs} ${stat?.ino}`;
    })
    .join('\n');
}

const lookEveryMs = 250;
const restPerLook = 20;
