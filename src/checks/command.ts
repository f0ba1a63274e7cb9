import { type ChildProcess, spawn } from 'node:child_process';
import { isGroupSignal } from '../disk/group-signal.ts';
import { type CheckOutcome, failed, passed } from './outcome.ts';
import { shorten } from './text.ts';

export interface CommandCheckContext {
  readonly file: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly onProcess?: (pid: number) => void;
}

/**
 * A program of the user's exits with 0. It leads a process group of its own, which is gone when this resolves. One that
 * is ended from outside has not judged the file, and is asked once more: Ctrl-C reaches it until it leads its group.
 */
export async function checkCommand(
  argv: readonly string[],
  context: CommandCheckContext,
): Promise<CheckOutcome> {
  const first = await callCheck(argv, context);
  return (first.isFromOutside ? await callCheck(argv, context) : first).outcome;
}

interface CheckEnd {
  readonly outcome: CheckOutcome;
  /** A signal that whole process groups get ended the program; also where it says so by its exit code. */
  readonly isFromOutside: boolean;
}

function callCheck(argv: readonly string[], context: CommandCheckContext): Promise<CheckEnd> {
  const [program = '', ...args] = argv.map((item) => item.replaceAll('{file}', () => context.file));
  if (context.signal?.aborted) return Promise.resolve(ownEnd(failed('interrupted')));
  let child: ChildProcess;
  try {
    child = spawn(program, args, {
      cwd: context.cwd,
      env: { ...context.env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
  } catch (error) {
    // Arguments that no system takes: a NUL in one, or too many.
    return Promise.resolve(ownEnd(failed(shorten(error instanceof Error ? error.message : String(error)))));
  }
  if (child.pid !== undefined) context.onProcess?.(child.pid);
  return outcomeOf(child, program, context);
}

const notStarted: Readonly<Record<string, string>> = {
  ENOENT: 'command-not-found',
  EACCES: 'command-not-executable',
};

function ownEnd(outcome: CheckOutcome): CheckEnd {
  return { outcome, isFromOutside: false };
}

function outcomeOf(child: ChildProcess, program: string, context: CommandCheckContext): Promise<CheckEnd> {
  return new Promise((resolve) => {
    const stdout = new Tail();
    const stderr = new Tail();
    child.stdout?.on('data', (chunk: Buffer) => stdout.add(chunk));
    child.stderr?.on('data', (chunk: Buffer) => stderr.add(chunk));
    let ended: 'timed-out' | 'interrupted' | undefined;
    const end = (why: 'timed-out' | 'interrupted') => {
      ended ??= why;
      endGroup(child);
    };
    const onAbort = () => end('interrupted');
    const timer = setTimeout(() => end('timed-out'), context.timeoutMs);
    context.signal?.addEventListener('abort', onAbort, { once: true });
    // It may have fired while the process was started.
    if (context.signal?.aborted) onAbort();

    const finish = (outcome: CheckOutcome, isFromOutside = false) => {
      clearTimeout(timer);
      context.signal?.removeEventListener('abort', onAbort);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve({ outcome, isFromOutside });
    };
    child.on('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === undefined ? undefined : notStarted[error.code];
      finish(failed(reason === undefined ? shorten(error.message) : `${reason}: ${shorten(program)}`));
    });
    child.on('exit', (code, signal) => {
      const judge = () => {
        const said = stderr.text() || stdout.text();
        if (ended === 'timed-out') finish(failed(describe(`no answer within ${context.timeoutMs} ms`, said)));
        else if (ended === 'interrupted') finish(failed('interrupted'));
        else
          finish(
            code === 0 ? passed : failed(describe(signal ? `killed by ${signal}` : `exit ${code}`, said)),
            isGroupSignal({ code, signal }),
          );
      };
      // Processes that it left behind are ended too, because they still hold the pipes. One that left the
      // group may go on holding them: it is not waited for.
      endGroup(child);
      const patience = setTimeout(judge, pipesOpenMsMax);
      child.on('close', () => {
        clearTimeout(patience);
        judge();
      });
    });
  });
}

const pipesOpenMsMax = 500;

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is empty. Where there are no groups only the process itself can be ended.
    child.kill('SIGKILL');
  }
}

function describe(end: string, said: string): string {
  return said === '' ? end : `${end}: ${said}`;
}

/** The end of what a program wrote, however much that was. */
class Tail {
  #bytes = Buffer.alloc(0);

  add(chunk: Buffer): void {
    const joined = Buffer.concat([this.#bytes, chunk.subarray(-tailBytesMax)]);
    this.#bytes = joined.subarray(-tailBytesMax);
  }

  text(): string {
    // The cut may have gone through a character.
    return this.#bytes
      .toString('utf8')
      .replace(/^\uFFFD+/, '')
      .trim();
  }
}

const tailBytesMax = 2000;
