import { statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { startIn as startInFolder } from '../engine/environment.ts';

/** A command that was called with `-C`. */
export interface Started {
  /** The folder as it was typed. */
  readonly folder: string;
  /** There is no such folder: nothing is done. */
  readonly isMissing: boolean;
  /** The rest of the command line. Where a manifest was named in place of a folder, it names that one. */
  readonly argv: readonly string[];
}

/** As if the command had been called in the folder, or in the folder of the manifest. */
export function startIn(path: string, argv: readonly string[]): Started {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  const folder = isFile ? dirname(path) : path;
  try {
    startInFolder(folder);
  } catch {
    return { folder, isMissing: true, argv };
  }
  const [first, ...rest] = argv;
  const isNamed = isFile && first !== undefined;
  return { folder, isMissing: false, argv: isNamed ? [first, '--dir', basename(path), ...rest] : argv };
}

/** A path of the command line as it is typed from where the command was called. */
export function typedFrom(started: Started | undefined, path: string | undefined): string | undefined {
  if (started === undefined) return path;
  if (path === undefined) return started.folder;
  return isAbsolute(path) ? path : join(started.folder, path);
}
