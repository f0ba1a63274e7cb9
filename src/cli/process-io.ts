import { fstatSync, writeSync } from 'node:fs';
import { callProcess } from '../base/call-process.ts';
import { systemClock } from '../base/clock.ts';
import type { CommandIo } from './command-io.ts';

/** A call that has this process for itself. Streams are made when they are first used. */
export function processIo(): CommandIo {
  return {
    process: callProcess(process.env),
    clock: systemClock,
    get cwd() {
      return process.cwd();
    },
    enter(folder) {
      process.chdir(folder);
      return process.cwd();
    },
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return process.stdout;
    },
    get stderr() {
      return process.stderr;
    },
    hasTerminalInput: () => process.getBuiltinModule('node:tty').isatty(0),
    reserveStdout,
    get writeOut() {
      return isForPrograms(1) && isForPrograms(2) ? writeOut : undefined;
    },
    get exitCode() {
      return Number(process.exitCode ?? 0);
    },
    set exitCode(code) {
      process.exitCode = code;
    },
    exit: () => process.exit(),
    leaveWhen,
    onSignal: (name, receive) => void process.on(name, receive),
    onUncaught: (receive) => void process.on('uncaughtException', receive),
    onExit: (receive) => void process.on('exit', receive),
    get self() {
      return [process.execPath, ...process.execArgv, process.argv[1] ?? ''];
    },
    get tellParent() {
      return process.send === undefined ? undefined : tellParent;
    },
  };
}

function reserveStdout() {
  const own = Object.getOwnPropertyDescriptor(process, 'stdout');
  Object.defineProperty(process, 'stdout', { configurable: true, get: () => process.stderr });
  return () => own?.get?.call(process) ?? own?.value;
}

/** What a pipe takes at once is written at once. More is left to a stream, because a write that blocks cannot be ended. */
function writeOut(bytes: Uint8Array): number {
  return bytes.length <= atOnceBytesMax ? writeSync(1, bytes) : 0;
}

const atOnceBytesMax = 16 * 1024;

/** A terminal is a device; that /dev/null is one as well does no harm. */
function isForPrograms(fd: number): boolean {
  try {
    return !fstatSync(fd).isCharacterDevice();
  } catch {
    return false;
  }
}

/**
 * A function phase that ran out of time cannot be killed and may hold the process open, so the process does not wait for
 * it. It does wait for the reader: `less` takes a page at a time.
 */
function leaveWhen(isRead: () => boolean): void {
  setTimeout(() => {
    const { destroyed, writableLength } = process.stderr;
    if (isRead() && (destroyed || writableLength === 0)) process.exit();
    else leaveWhen(isRead);
  }, leaveAfterMs).unref();
}

const leaveAfterMs = 250;

async function tellParent(message: object): Promise<void> {
  await new Promise((resolve) => process.send?.(message, resolve));
  process.disconnect?.();
}
