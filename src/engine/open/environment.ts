import { relative } from 'node:path';
import { type CallProcess, callProcess } from '../../base/call-process.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { type Ids, systemIds } from '../../base/ids.ts';
import type { Disk } from '../../disk/disk.ts';
import { type Host, systemHost } from '../../disk/host.ts';
import { nodeDisk, visitorDisk } from '../../disk/node-disk.ts';
import type { Decider, StoredEvent } from '../../model/event.ts';
import { scriptDecider } from './person.ts';

/** The world that a use case works in. Tests pass another one; nothing below reaches round it. */
export interface Environment {
  readonly disk: Disk;
  readonly host: Host;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Variables and modules of the process that the call runs in. */
  readonly process: CallProcess;
  /** The current folder, absolute. */
  readonly cwd: string;
  /** The folder where the command was typed, absolute: paths are shown from there. Undefined: it is `cwd`. */
  readonly typedIn?: string | undefined;
  /** Kept outside every workspace: what each run's journal looked like last. Undefined: not kept. */
  readonly stateFolder: string | undefined;
  /** Whose decisions are recorded; undefined: they are recorded without a name. */
  readonly decider?: (() => Decider) | undefined;
  /** Receives what this process records of a run, durable and redacted. What it returns is waited for. */
  readonly onRecorded?:
    | ((run: string, events: readonly StoredEvent[]) => Promise<void> | undefined)
    | undefined;
}

/** Where a command was called, and what it gets from its process. */
export type CallPlace = Pick<Environment, 'clock' | 'process' | 'cwd' | 'typedIn' | 'decider'>;

/** The world of this machine, for a call in its own process or in the place that is given. */
export function systemEnvironment(place: CallPlace = ownPlace()): Environment {
  const { clock, process: own, cwd, typedIn, decider } = place;
  return {
    disk: nodeDisk,
    host: systemHost(),
    clock,
    ids: systemIds,
    process: own,
    cwd,
    typedIn,
    stateFolder: stateFolder(own.variables),
    decider,
  };
}

/** A program that uses the library: its decisions are those of a script. */
function ownPlace(): CallPlace {
  return {
    clock: systemClock,
    process: callProcess(process.env),
    cwd: process.cwd(),
    decider: scriptDecider,
  };
}

/** An absolute path as the user would type it. Empty: the folder where the command was typed. */
export function shownFrom(
  { cwd, typedIn: from }: Pick<Environment, 'cwd' | 'typedIn'>,
  path: string,
): string {
  return relative(from ?? cwd, path);
}

/** For a call that is waited for and does one thing after the other. */
export function visitorEnvironment(place?: CallPlace): Environment {
  return { ...systemEnvironment(place), disk: visitorDisk };
}

function stateFolder(env: NodeJS.ProcessEnv): string | undefined {
  const base = env.XDG_STATE_HOME || (env.HOME ? `${env.HOME}/.local/state` : undefined);
  return base === undefined ? undefined : `${base}/pawl`;
}
