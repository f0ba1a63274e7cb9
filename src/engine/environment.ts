import { relative } from 'node:path';
import { type Clock, systemClock } from '../base/clock.ts';
import { type Ids, systemIds } from '../base/ids.ts';
import type { Disk } from '../disk/disk.ts';
import { type Host, systemHost } from '../disk/host.ts';
import { nodeDisk, visitorDisk } from '../disk/node-disk.ts';
import type { Decider, StoredEvent } from '../model/event.ts';
import { deciderHere } from './decider.ts';

/** The world that a use case works in. Tests pass another one; nothing below reaches round it. */
export interface Environment {
  readonly disk: Disk;
  readonly host: Host;
  readonly clock: Clock;
  readonly ids: Ids;
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

export function systemEnvironment(): Environment {
  return {
    disk: nodeDisk,
    host: systemHost(),
    clock: systemClock,
    ids: systemIds,
    cwd: process.cwd(),
    typedIn,
    stateFolder: stateFolder(process.env),
    decider: deciderHere,
  };
}

let typedIn: string | undefined;

/**
 * As if the command had been typed in this folder: every relative path is found from there. Paths are still shown from
 * the folder where it was typed, so that a command that a message names can be pasted.
 */
export function startIn(folder: string): void {
  const before = process.cwd();
  process.chdir(folder);
  typedIn ??= before;
}

/** An absolute path as the user would type it. Empty: the folder where the command was typed. */
export function shownFrom(
  { cwd, typedIn: from }: Pick<Environment, 'cwd' | 'typedIn'>,
  path: string,
): string {
  return relative(from ?? cwd, path);
}

/** For a call that is waited for and does one thing after the other. */
export function visitorEnvironment(): Environment {
  return { ...systemEnvironment(), disk: visitorDisk };
}

function stateFolder(env: NodeJS.ProcessEnv): string | undefined {
  const base = env.XDG_STATE_HOME || (env.HOME ? `${env.HOME}/.local/state` : undefined);
  return base === undefined ? undefined : `${base}/pawl`;
}
