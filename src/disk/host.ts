import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { openedBy } from './open-files.ts';
import { type ProcessLook, parentOf, processLook } from './process-look.ts';

/** Names one process for good: a pid is reused, a pid with its start time and boot is not. */
export interface ProcessName {
  readonly pid: number;
  readonly started: string;
  readonly boot: string;
  readonly host: string;
}

/** The machine as the leases see it; tests pass their own. */
export interface Host {
  /** This process. */
  readonly self: ProcessName;
  /** `unknown` when this process cannot see it (another host, hidden processes): doubt never breaks a lock. */
  isAlive(name: ProcessName): 'alive' | 'dead' | 'unknown';
  /** The start time of a process of this host, undefined when there is none. */
  startedAt(pid: number): string | undefined;
  /** The processes that this one was started by, nearest first, as far as the system shows them. */
  ancestors(): readonly Pick<ProcessName, 'pid' | 'started'>[];
  /** The process of this host, other than this one, that has a file below a folder open. */
  openedBy(folder: string): number | 'none' | 'unknown';
}

/** This machine. */
export function systemHost(look: (pid: number) => ProcessLook = processLook()): Host {
  const boot = readBoot();
  const startedAt = (pid: number) => {
    const seen = look(pid);
    return seen.state === 'running' ? seen.started : undefined;
  };
  const self = { pid: process.pid, started: startedAt(process.pid) ?? '', boot, host: hostname() };
  return {
    self,
    startedAt,
    ancestors: () => ancestorsOf(self.pid, startedAt),
    openedBy,
    isAlive(name) {
      if (name.host !== self.host) return 'unknown';
      if (name.boot !== '' && boot !== '' && name.boot !== boot) return 'dead';
      const seen = look(name.pid);
      if (seen.state === 'gone') return 'dead';
      if (seen.state === 'hidden' || name.started === '') return 'unknown';
      return seen.started === name.started ? 'alive' : 'dead';
    },
  };
}

/** Up to the first process of the system. A pid that is reused on the way could make a circle, so there is a limit. */
function ancestorsOf(
  pid: number,
  startedAt: (pid: number) => string | undefined,
): Pick<ProcessName, 'pid' | 'started'>[] {
  const found: Pick<ProcessName, 'pid' | 'started'>[] = [];
  let parent = parentOf(pid);
  while (parent !== undefined && found.length < ancestorsMax) {
    found.push({ pid: parent, started: startedAt(parent) ?? '' });
    parent = parentOf(parent);
  }
  return found;
}

const ancestorsMax = 128;

function readBoot(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Elsewhere start times are dates and not counted from the boot, so they are unique without one.
    return '';
  }
}
