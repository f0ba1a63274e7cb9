import type { Readable, Writable } from 'node:stream';
import type { CallProcess } from '../base/call-process.ts';
import type { Clock } from '../base/clock.ts';

/**
 * Everything that one call of the command takes from its process, and all that it does to it. Nothing behind `main`
 * reaches for `process`, so that one process can answer many calls.
 */
export interface CommandIo {
  readonly process: CallProcess;
  readonly clock: Clock;
  /** The folder of the call, absolute. Throws where that folder is gone. */
  readonly cwd: string;
  /** Makes a folder the current one and returns its absolute path. Throws where there is no such folder. */
  enter(folder: string): string;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Whether a terminal is at stdin. Asked of the system, because making the stream costs three milliseconds. */
  hasTerminalInput(): boolean;
  /**
   * Leaves stdout to the answer: all other output of this process, such as of the user's phases and checks, goes to
   * stderr. Returns how to get the stream that it was.
   */
  reserveStdout(): () => OutputStream;
  /** Writes to stdout without a stream and returns how much was taken; undefined where a terminal is attached. */
  readonly writeOut: ((bytes: Uint8Array) => number) | undefined;
  exitCode: number | undefined;
  /** Ends the process at once, with the exit code that is set. */
  exit(): void;
  /** Ends the process soon after `isRead` is true, even if something of the user still runs. */
  leaveWhen(isRead: () => boolean): void;
  onSignal(name: NodeJS.Signals, receive: () => void): void;
  /** An error that escaped from code that nothing waits for. */
  onUncaught(receive: (error: unknown) => void): void;
  /** The process ends, for any reason. */
  onExit(receive: (code: number) => void): void;
  /** The program and arguments that start this command again; the words of the call follow. */
  readonly self: readonly string[];
  /** Sends a message to the process that started this one; undefined where it does not listen. */
  readonly tellParent: ((message: object) => Promise<void>) | undefined;
}

export type OutputStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
};

export type InputStream = Readable & { readonly isTTY?: boolean };
