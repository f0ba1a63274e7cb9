import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Clock } from '../../base/clock.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import type { ProcessEnd } from '../../disk/group-signal.ts';
import { diskError } from '../../disk/node-disk.ts';
import type { AttemptFailure } from '../../model/failure.ts';
import { findProgram } from './environment.ts';
import { endGroup, killGroup } from './process-group.ts';

export interface CommandCall {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Where stdout.log and stderr.log go; absolute. */
  readonly folder: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Fires: nothing more is to start. */
  readonly stop?: AbortSignal;
  /** Told the process before it may do anything; the command starts when this resolves. */
  readonly beforeStart: (pid: number) => Promise<unknown>;
}

// The child waits for one line before it becomes the command. If this process dies first, the line never comes
// and the child ends without having done anything: so no command ever runs that the journal does not know of.
const waitThenBecome = 'read -r go && exec "$@" </dev/null';

/** Runs a program in its own process group, so that it can be ended with all its children. */
export async function runCommand(
  run: { readonly clock: Clock },
  call: CommandCall,
): Promise<Result<undefined, AttemptFailure>> {
  const [name = ''] = call.argv;
  const program = findProgram(name, call.cwd, call.env);
  if (!program.ok) return fail({ reason: program.failure, message: name, facts: { command: name } });
  for (let starts = 1; ; starts++) {
    const child = spawnWaiting(call, program.value);
    const ended = waitForEnd(child);
    if (child.pid === undefined) return notStarted(name, await ended);
    const began = await begin(call, child, child.pid, ended);
    // Between fork and setsid the child is still in this process's group, so Ctrl-C ends it before it becomes the
    // command. Nothing was done yet, so another start repeats nothing.
    const isLost = began.signal !== null && starts < startsMax && !call.signal.aborted;
    if (isLost && !call.stop?.aborted) continue;
    return await watch(run, call, child.pid, ended);
  }
}

const startsMax = 3;

/** The child as it waits for its line. Files, not pipes: a grandchild would hold a pipe open for as long as it lives. */
function spawnWaiting(call: CommandCall, program: string): ChildProcess {
  const logs: number[] = [];
  try {
    for (const log of ['stdout.log', 'stderr.log']) logs.push(openLog(`${call.folder}/${log}`));
    return spawn('/bin/sh', ['-c', waitThenBecome, 'pawl', program, ...call.argv.slice(1)], {
      cwd: call.cwd,
      env: { ...call.env },
      stdio: ['pipe', ...logs],
      detached: true,
    });
  } finally {
    for (const log of logs) closeSync(log);
  }
}

/** Lets the child become the command. `signal`: it was ended by one before it could. */
async function begin(
  call: CommandCall,
  child: ChildProcess,
  pid: number,
  ended: Promise<End>,
): Promise<{ signal: NodeJS.Signals | null }> {
  try {
    await call.beforeStart(pid);
  } catch (error) {
    killGroup(pid, 'SIGKILL');
    await ended;
    throw error;
  }
  const { stdin } = child;
  if (stdin === null) return { signal: null };
  const isTold = await new Promise<boolean>((resolve) => {
    stdin.on('error', () => resolve(false));
    stdin.end('go\n', (error?: Error | null) => resolve(error === undefined || error === null));
  });
  return isTold ? { signal: null } : await ended;
}

/** Not by way of the disk, for a child is handed the file itself; that it cannot be opened is trouble of the disk. */
function openLog(path: string): number {
  try {
    return openSync(path, 'a', 0o600);
  } catch (error) {
    throw diskError(error, 'append', path);
  }
}

interface End extends ProcessEnd {
  readonly error: Error | undefined;
}

function waitForEnd(child: ChildProcess): Promise<End> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, error }));
    child.once('exit', (code, signal) => resolve({ code, signal, error: undefined }));
  });
}

async function watch(
  run: { readonly clock: Clock },
  call: CommandCall,
  pid: number,
  ended: Promise<End>,
): Promise<Result<undefined, AttemptFailure>> {
  const over = new AbortController();
  const outOfTime = run.clock.sleep(call.timeoutMs, over.signal).then(() => 'timed-out' as const);
  const interrupted = new Promise<'interrupted'>((resolve) => {
    if (call.signal.aborted) resolve('interrupted');
    else
      call.signal.addEventListener('abort', () => resolve('interrupted'), {
        once: true,
        signal: over.signal,
      });
  });
  const first = await Promise.race([ended, outOfTime, interrupted]);
  if (first === 'timed-out' || first === 'interrupted') await endGroup(run, pid, ended);
  over.abort();
  // Whatever the command left running in its group ends with it: nothing may write after the attempt is over.
  killGroup(pid, 'SIGKILL');
  if (first === 'timed-out')
    return fail({ reason: 'timed-out', message: tail(call), facts: { timeoutMs: call.timeoutMs } });
  if (first === 'interrupted') return fail({ reason: 'command-killed', message: 'interrupted' });
  if (first.error !== undefined) return notStarted(call.argv[0] ?? '', first);
  if (first.signal !== null)
    return fail({ reason: 'command-killed', message: tail(call), facts: { signal: first.signal } });
  if (first.code !== 0)
    return fail({ reason: 'command-failed', message: tail(call), facts: { exitCode: first.code ?? -1 } });
  return ok(undefined);
}

function notStarted(command: string, end: End): Result<never, AttemptFailure> {
  return fail({ reason: 'command-not-found', message: end.error?.message ?? '', facts: { command } });
}

/** The end of the command's last output, for the person who has to fix it. */
function tail(call: CommandCall): string {
  for (const name of ['stderr.log', 'stdout.log']) {
    try {
      const text = readEnd(`${call.folder}/${name}`).trimEnd();
      if (text !== '') return text.slice(-2000);
    } catch {
      // A log that cannot be read is left out; the exit code is reported anyway.
    }
  }
  return '';
}

const endBytes = 16 * 1024;

/** A log may be larger than memory, or than one string can be. */
function readEnd(path: string): string {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, endBytes));
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, size - bytes.length));
  } finally {
    closeSync(file);
  }
}
