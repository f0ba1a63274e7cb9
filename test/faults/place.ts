import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Environment, systemEnvironment } from '../../src/engine/open/environment.ts';
import { tempFolder } from '../support/temp.ts';

/** One workspace with everything around it. */
export interface Place {
  /** All that the command may write to: the workspace, and the state that the user's home keeps. */
  readonly folder: string;
  readonly work: string;
  /** Outside `folder`: the phases write each execution down here. */
  readonly calls: string;
  /** Outside `folder`: the shim writes each call down here. */
  readonly log: string;
}

/** How a call of the command ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type PipelineName = 'loop' | 'tools' | 'beside';

const here = dirname(fileURLToPath(import.meta.url));
const bin = join(here, '../../bin/pawl.js');

/** A fresh copy of one of the pipelines in `pipelines/`. `home`: on which disk. */
export function newPlace(pipeline: PipelineName, home: PlaceHome = {}): Place {
  const beside = tempFolder();
  const folder = join(home.folder ?? beside, 'place');
  const work = join(folder, 'work');
  const seen = home.seen ?? ((path) => path);
  mkdirSync(seen(join(folder, 'state')), { recursive: true });
  cpSync(join(here, 'pipelines', pipeline), seen(work), { recursive: true });
  return { folder, work, calls: join(beside, 'calls'), log: join(beside, 'log') };
}

/** The same files elsewhere: what was executed so far goes along. */
export function copyOf(place: Place): Place {
  const beside = tempFolder();
  cpSync(dirname(place.folder), beside, { recursive: true, preserveTimestamps: true });
  const folder = join(beside, 'place');
  const copy = { folder, work: join(folder, 'work'), calls: join(beside, 'calls'), log: join(beside, 'log') };
  rmSync(copy.log, { force: true });
  return copy;
}

export interface PlaceHome {
  readonly folder?: string;
  /** The path by which this process sees a path of that disk. */
  readonly seen?: (path: string) => string;
}

function environmentOf(place: Place): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: place.folder,
    XDG_STATE_HOME: join(place.folder, 'state'),
    LANG: 'C.UTF-8',
    FAULT_CALLS: place.calls,
  };
}

/** The same place for use cases that are called here: what they say does not depend on which process asks. */
export function engineAt(place: Place): Environment {
  return { ...systemEnvironment(), cwd: place.folder, stateFolder: join(place.folder, 'state/pawl') };
}

export interface CallOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** A program that starts it, and its arguments. */
  readonly before?: readonly string[];
}

/** Calls the command and waits for its end. */
export function pawl(place: Place, args: readonly string[], options: CallOptions = {}): Promise<Ended> {
  return node([bin, ...args], { ...options, env: { ...environmentOf(place), ...options.env } });
}

/** Runs a program of Node's and waits for its end. */
export function node(args: readonly string[], { env = {}, before = [] }: CallOptions): Promise<Ended> {
  const [program = '', ...rest] = [...before, process.execPath, ...args];
  const child = spawn(program, rest, { cwd: '/', env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** A phase that was really executed. */
export interface Execution {
  readonly cell: string;
  readonly iteration: number;
}

/** Every execution so far, in order, as the phases themselves have written it down. */
export function executions({ calls }: Place): Execution[] {
  if (!existsSync(calls)) return [];
  const lines = readFileSync(calls, 'utf8').split('\n');
  // A command that is ended early may have come no further than to open the file.
  return lines.filter(Boolean).map((line) => {
    const [unit, phase, , round] = line.split(' ');
    return { cell: `${unit}/${phase}`, iteration: Number(round) };
  });
}

/**
 * Every file of the workspace with the hash of its bytes; without the run's own folder, which tells of attempts and
 * times. The ledger of a unit does too: of these only the names.
 */
export function finalFiles({ work }: Pick<Place, 'work'>): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(work, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(work.length + 1);
    if (!entry.isFile() || path.startsWith('.pawl/')) continue;
    const bytes = path.startsWith('ledger/') ? '' : readFileSync(join(work, path));
    files[path] = createHash('sha256').update(bytes).digest('hex');
  }
  return files;
}
