import { lstatSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { packageRoot } from '../../base/program.ts';
import { fail, ok, type Result } from '../../base/result.ts';
import { nearest } from '../../pipeline/text/problems.ts';
import { type Environment, shownFrom } from '../open/environment.ts';
import { exampleNames, readExample } from './examples.ts';

export interface InitRequest {
  /** Default: minimal */
  readonly example?: string | undefined;
  /** Where to write it; the current folder when nothing is said. */
  readonly folder?: string | undefined;
}

/** What was written. */
export interface InitAnswer {
  readonly example: string;
  readonly folder: string;
  /** Its name in the folder. */
  readonly manifest: string;
  readonly files: readonly string[];
  /** Of these, what to read first. */
  readonly first: readonly string[];
}

/** Why nothing was written. */
export type InitTrouble =
  | {
      readonly reason: 'unknown-example';
      readonly name: string;
      readonly valid: readonly string[];
      readonly near: readonly string[];
    }
  | { readonly reason: 'files-exist'; readonly folder: string; readonly files: readonly string[] };

/** Writes a workspace to start from. All or nothing: one file that is there already keeps all others away. */
export function initWorkspace(env: Environment, request: InitRequest): Result<InitAnswer, InitTrouble> {
  const { example: name = 'minimal' } = request;
  const example = exampleNames.find((known) => known === name);
  if (example === undefined) {
    const near = nearest(name, exampleNames);
    return fail({ reason: 'unknown-example', name, valid: exampleNames, near });
  }
  const folder = resolve(env.cwd, request.folder ?? '.');
  const shown = shownFrom(env, folder) || '.';
  if (isNoFolder(folder)) {
    const parent = shownFrom(env, dirname(folder)) || '.';
    return fail({ reason: 'files-exist', folder: parent, files: [basename(folder)] });
  }
  const { manifest, files, first } = readExample(example, schemaPath(folder));
  const names = Object.keys(files);
  const existing = new Set(names.flatMap((path) => inTheWay(folder, path) ?? []));
  if (existing.size > 0) return fail({ reason: 'files-exist', folder: shown, files: [...existing] });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    // Made only when it is not there: nothing is overwritten even if it came to be just now.
    writeFileSync(join(folder, path), content, { flag: 'wx' });
  }
  return ok({ example, folder: shown, manifest, files: names, first });
}

/** What keeps a file from being made: itself, or something else where one of its folders belongs. */
function inTheWay(folder: string, name: string): string | undefined {
  const parts = name.split('/');
  for (let depth = 1; depth < parts.length; depth++) {
    const above = parts.slice(0, depth).join('/');
    if (isNoFolder(join(folder, above))) return above;
  }
  return isThere(join(folder, name)) ? name : undefined;
}

/** A link that leads nowhere is something, too. */
function isNoFolder(path: string): boolean {
  return isThere(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** For editors: the schema that belongs to this very version. */
function schemaPath(folder: string): string {
  return relative(folder, `${packageRoot}schema/pawl.schema.json`).split('\\').join('/');
}
