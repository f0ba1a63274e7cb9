import { type Clock, systemClock } from '../base/clock.ts';
import { type Ids, systemIds } from '../base/ids.ts';
import type { Disk } from '../disk/disk.ts';
import { type Host, systemHost } from '../disk/host.ts';
import { nodeDisk, visitorDisk } from '../disk/node-disk.ts';

/** The world that a use case works in. Tests pass another one; nothing below reaches round it. */
export interface Environment {
  readonly disk: Disk;
  readonly host: Host;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The current folder, absolute. */
  readonly cwd: string;
  /** Kept outside every workspace: what each run's journal looked like last. Undefined: not kept. */
  readonly stateFolder: string | undefined;
}

export function systemEnvironment(): Environment {
  return {
    disk: nodeDisk,
    host: systemHost(),
    clock: systemClock,
    ids: systemIds,
    cwd: process.cwd(),
    stateFolder: stateFolder(process.env),
  };
}

/** For a call that is waited for and does one thing after the other. */
export function visitorEnvironment(): Environment {
  return { ...systemEnvironment(), disk: visitorDisk };
}

function stateFolder(env: NodeJS.ProcessEnv): string | undefined {
  const base = env.XDG_STATE_HOME || (env.HOME ? `${env.HOME}/.local/state` : undefined);
  return base === undefined ? undefined : `${base}/pawl`;
}
