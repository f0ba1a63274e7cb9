import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterFile } from './after-file.ts';
import { callHere, canCallHere, type Finished } from './in-process.ts';
import { projectRoot, type TestWorkspace, variablesOf, withEnv } from './workspace.ts';

export type { Finished };

/** A call of the command that goes on. */
export interface Running {
  readonly pid: number;
  readonly ended: Promise<Finished>;
  /** Resolves with the first line on stderr that holds the text; fails when the command ends without it. */
  line(text: string): Promise<string>;
  kill(signal: NodeJS.Signals): void;
}

export interface CallOptions {
  /** The folder that the command is called in; the workspace when nothing is said. */
  readonly cwd?: string;
  readonly uid?: number;
  /** The program to start in place of the clone's own. */
  readonly bin?: string;
  readonly input?: string;
}

const bin = join(projectRoot, 'bin/pawl.js');

/** Calls the command in the workspace and waits for its end. */
export function pawl(workspace: TestWorkspace, ...args: string[]): Promise<Finished> {
  const { root, env, laterMs } = workspace;
  const call = { args, cwd: root, variables: env, laterMs };
  return canCallHere(call) ? callHere(call) : pawlProcess(workspace, ...args);
}

/**
 * The same in a process of its own. For what only a process has: signals and kills, preloads, other users, functions that
 * end it or let an error escape, and helpers of a pipeline's module that change between two calls.
 */
export function pawlProcess(workspace: TestWorkspace, ...args: string[]): Promise<Finished> {
  return start(workspace, args).ended;
}

/** The same with `--json`: the document, which has to be all of stdout, and how it ended. */
export async function pawlJson<T = Answer>(
  workspace: TestWorkspace,
  ...args: string[]
): Promise<T & { readonly finished: Finished }> {
  const finished = await pawl(workspace, ...args, '--json');
  return { ...(documentOf(finished) as T), finished };
}

/** The one JSON document that a call printed. */
export function documentOf({ stdout, stderr }: Finished): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`stdout is not one JSON document:\n${stdout}\nstderr:\n${stderr}`);
  }
}

/** Starts the command and does not wait. */
export function start(workspace: TestWorkspace, args: readonly string[], options: CallOptions = {}): Running {
  const child = spawn(process.execPath, [options.bin ?? bin, ...args], {
    cwd: options.cwd ?? workspace.root,
    env: variablesOf(workspace),
    stdio: ['pipe', 'pipe', 'pipe'],
    ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
  });
  afterFile(() => child.kill('SIGKILL'));
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  const output = { stdout: '', stderr: '' };
  const watchers = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      for (const watch of watchers) watch();
    });
  }
  let finished: Finished | undefined;
  const ended = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      finished = { code, signal, ...output };
      for (const watch of watchers) watch();
      resolve(finished);
    });
  });
  const line = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const watch = () => {
        const found = output.stderr.split('\n').find((candidate) => candidate.includes(text));
        if (found === undefined && finished === undefined) return;
        watchers.delete(watch);
        if (found !== undefined) resolve(found);
        else reject(new Error(`ended without the line "${text}":\n${output.stdout}${output.stderr}`));
      };
      watchers.add(watch);
      watch();
    });
  return { pid: child.pid ?? 0, ended, line, kill: (signal) => void child.kill(signal) };
}

/**
 * Calls the command so that it ends itself with SIGKILL in the very moment in which it has told something: the n-th
 * line of its progress, or the first that holds a text. Nothing that comes after that line is ever executed.
 */
export function pawlKilledAt(
  workspace: TestWorkspace,
  moment: number | string,
  ...args: string[]
): Promise<Finished> {
  const preload = pathToFileURL(join(projectRoot, 'test/support/kill-at-line.mjs'));
  const env = { NODE_OPTIONS: `--import=${preload.href}`, TEST_KILL_AT: JSON.stringify(moment) };
  return pawlProcess(withEnv(workspace, env), ...args);
}

/** The parts of an answer that tests look at; each command has some of them. */
export interface Answer {
  readonly ok: boolean;
  readonly command: string;
  readonly exitCode: number;
  readonly reason?: string;
  readonly message?: string;
  readonly next?: readonly string[];
}
