import { callProcess } from '../../src/base/call-process.ts';
import type { Ids } from '../../src/base/ids.ts';
import type { Disk } from '../../src/disk/disk.ts';
import type { Host } from '../../src/disk/host.ts';
import type { Environment } from '../../src/engine/open/environment.ts';
import { root, stateFolder } from './book.ts';
import type { Judge } from './judge.ts';

/** How often the machine was started, and how many of our processes it has seen. */
export interface Machine {
  readonly boots: number;
  readonly processes: number;
}

export const newMachine: Machine = { boots: 1, processes: 0 };

/** The world as the newest process of a machine sees it: every one before it is dead. The same again in every replay. */
export function environmentOf(disk: Disk, machine: Machine, judge: Judge): Environment {
  // Time passes while phases are at work and stands still otherwise.
  const now = () => startMs + judge.executions.length * executionMs;
  return {
    disk,
    host: hostOf(machine),
    clock: { now, monotonicMs: now, sleep: untilAborted },
    ids: idsOf(machine.processes),
    process: callProcess({}),
    cwd: root,
    stateFolder,
  };
}

const startMs = Date.UTC(2026, 10, 15, 12);
/** More than two of these and projections are written in between, too. */
const executionMs = 100;

function hostOf({ boots, processes }: Machine): Host {
  const self = { pid: processes, started: `at ${processes}`, boot: `boot ${boots}`, host: 'here' };
  return {
    self,
    isAlive: (name) => (name.boot === self.boot && name.pid === self.pid ? 'alive' : 'dead'),
    startedAt: (pid) => (pid === self.pid ? self.started : undefined),
    ancestors: () => [],
    openedBy: () => 'unknown',
  };
}

/** No two processes ever get the same. */
function idsOf(process: number): Ids {
  let count = 0;
  const prefix = process.toString(36);
  return { random: (length) => prefix + (count++).toString(36).padStart(length - prefix.length, '0') };
}

function untilAborted(_ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal === undefined || signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
