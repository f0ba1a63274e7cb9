import { execFile } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where a module breaks; 1-based. */
export interface BrokenPlace {
  /** Relative to the workspace where it lies in it. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/**
 * Where the syntax of a module, or of one that it imports, breaks; undefined if the error is another one or
 * has no known place. Node knows the place of a syntax error but does not expose it, so it is asked to check
 * the file once more. Checking runs nothing.
 */
export async function brokenPlace(
  error: unknown,
  root: string,
  module: string,
): Promise<BrokenPlace | undefined> {
  if (!(error instanceof SyntaxError)) return undefined;
  let place = places.get(error);
  if (place === undefined) {
    const found = readPlace(error.stack ?? '');
    place = found === undefined ? findPlace(resolve(root, module), error.message) : Promise.resolve(found);
    places.set(error, place);
  }
  const found = await place;
  return found && { ...found, path: shownPath(root, found.path) };
}

/** A module is loaded once, and a hundred units may fail by it. */
const places = new WeakMap<Error, Promise<BrokenPlace | undefined>>();

const filesMax = 20;
const timeoutMs = 5000;

/** The module first, then what it imports from the workspace, nearest first. */
async function findPlace(file: string, message: string): Promise<BrokenPlace | undefined> {
  const files = new Set([file]);
  for (const candidate of files) {
    const said = await checkSyntax(candidate);
    if (said.includes(message)) return readPlace(said);
    for (const imported of importsOf(candidate)) if (files.size < filesMax) files.add(imported);
  }
  return undefined;
}

/** What Node says of a file that it cannot read; empty: it can. */
function checkSyntax(file: string): Promise<string> {
  return new Promise((done) => {
    execFile(process.execPath, ['--check', file], { timeout: timeoutMs }, (_error, _out, said) => done(said));
  });
}

function importsOf(file: string): string[] {
  try {
    const specifiers = readFileSync(file, 'utf8').matchAll(
      /(?:\bfrom|\bimport)\s*["'](\.{1,2}\/[^"']+)["']/g,
    );
    return Array.from(specifiers, ([, specifier = '']) => resolve(dirname(file), specifier));
  } catch {
    return [];
  }
}

/** Reads how Node shows an error: `FILE:LINE`, the line itself, and carets below it. */
function readPlace(said: string): BrokenPlace | undefined {
  const [, path = '', line, carets = ''] = /^(.+):(\d+)\n.*\n(\s*\^+)/.exec(said) ?? [];
  if (line === undefined) return undefined;
  const isUrl = path.startsWith('file:');
  return { path: isUrl ? fileURLToPath(path) : path, line: Number(line), column: carets.indexOf('^') + 1 };
}

/** Node follows links, also those that lead to the workspace. */
function shownPath(root: string, path: string): string {
  const inside = relative(realpathSync(root), path);
  return inside.startsWith('..') ? path : inside.replaceAll('\\', '/');
}
