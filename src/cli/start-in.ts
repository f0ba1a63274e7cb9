import { statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { CommandIo } from './command-io.ts';

/** A command that was called with `-C`. */
export interface Started {
  /** The folder as it was typed. */
  readonly folder: string;
  /** The folder where the command was typed, absolute. */
  readonly typedIn: string;
  /** The folder that the command starts in, absolute. */
  readonly cwd: string;
  /** There is no such folder: nothing is done. */
  readonly isMissing: boolean;
  /** The rest of the command line. Where a manifest was named in place of a folder, it names that one. */
  readonly argv: readonly string[];
}

/** As if the command had been called in the folder, or in the folder of the manifest. */
export function startIn(io: CommandIo, path: string, argv: readonly string[]): Started {
  const typedIn = io.cwd;
  const isFile = statSync(resolve(typedIn, path), { throwIfNoEntry: false })?.isFile() === true;
  const folder = isFile ? dirname(path) : path;
  try {
    const cwd = io.enter(folder);
    const [first, ...rest] = argv;
    const isNamed = isFile && first !== undefined;
    const named = isNamed ? [first, '--dir', basename(path), ...rest] : argv;
    return { folder, typedIn, cwd, isMissing: false, argv: named };
  } catch {
    return { folder, typedIn, cwd: typedIn, isMissing: true, argv };
  }
}

/** A path of the command line as it is typed from where the command was called. */
export function typedFrom(started: Started | undefined, path: string | undefined): string | undefined {
  if (started === undefined) return path;
  if (path === undefined) return started.folder;
  return isAbsolute(path) ? path : join(started.folder, path);
}
