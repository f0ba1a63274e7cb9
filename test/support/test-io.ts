import { realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { importOnce } from '../../src/base/call-process.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { CommandIo } from '../../src/cli/command-io.ts';
import { projectRoot } from './workspace.ts';

/** What one call in this process is given. */
export interface TestCall {
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
  /** By how much its clock is ahead. */
  readonly laterMs?: number | undefined;
  /** All three ends are a terminal of this width. */
  readonly columns?: number;
  /** Told the folder that `-C` names. */
  readonly onEnter?: (folder: string) => void;
}

/** The ends of a call in this process, and all that it printed. */
export interface TestIo extends CommandIo {
  printed(): { readonly stdout: string; readonly stderr: string };
}

export function testIo({ cwd, variables, input = '', laterMs = 0, columns, onEnter }: TestCall): TestIo {
  const terminal = columns === undefined ? {} : { isTTY: true, columns };
  const stdout = collector(terminal);
  const stderr = collector(terminal);
  let folder = cwd;
  return {
    process: { variables: { ...variables }, importModule: importOnce(importFresh) },
    clock: { ...systemClock, now: () => systemClock.now() + laterMs },
    get cwd() {
      return folder;
    },
    enter(path) {
      const entered = realpathSync(resolve(folder, path));
      if (!statSync(entered).isDirectory()) throw new Error(`not a folder: ${entered}`);
      folder = entered;
      onEnter?.(folder);
      return folder;
    },
    stdin: Object.assign(Readable.from([input]), terminal),
    stdout: stdout.stream,
    stderr: stderr.stream,
    hasTerminalInput: () => columns !== undefined,
    reserveStdout: () => () => stdout.stream,
    writeOut: undefined,
    exitCode: 0,
    exit: () => undefined,
    leaveWhen: () => undefined,
    onSignal: () => undefined,
    onUncaught: () => undefined,
    onExit: () => undefined,
    self: [process.execPath, join(projectRoot, 'bin/pawl.js')],
    tellParent: undefined,
    printed: () => ({ stdout: stdout.text(), stderr: stderr.text() }),
  };
}

function collector(terminal: object) {
  const pieces: Buffer[] = [];
  const stream = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(piece);
      done();
    },
  });
  return { stream: Object.assign(stream, terminal), text: () => Buffer.concat(pieces).toString('utf8') };
}

const loaded = new Set<string>();
let loads = 0;

/**
 * A module as a new process sees it: Node never loads a module twice, so from the second call on its address is another
 * one. Modules that it imports itself stay as they were first loaded.
 */
function importFresh(path: string): Promise<Record<string, unknown>> {
  const { href } = pathToFileURL(path);
  const isNew = !loaded.has(path);
  loaded.add(path);
  loads += 1;
  return nativeImport(isNew ? href : `${href}?call=${loads}`);
}

const { nativeImport } = createRequire(import.meta.url)('./native-import.cjs') as {
  nativeImport(url: string): Promise<Record<string, unknown>>;
};
