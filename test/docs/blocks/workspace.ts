import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { callHere, canCallHere } from '../../support/in-process.ts';
import { tempFolder } from '../../support/temp.ts';
import { projectRoot } from '../../support/workspace.ts';
import { plainLines } from './plain-lines.ts';

/** A folder of a new user: the package is found in it as if it were installed. */
export function newUsersFolder(): string {
  const folder = tempFolder();
  const bin = join(folder, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(projectRoot, join(folder, 'node_modules/pawl'));
  symlinkSync(join(projectRoot, 'bin/pawl.js'), join(bin, 'pawl'));
  // What npx would do, without what it takes to find that out.
  program(join(bin, 'npx'), 'exec "$@"');
  return folder;
}

/** A fresh clone, as far as the README goes: the examples, and scripts of npm that need no installation. */
export function newClone(): string {
  const folder = newUsersFolder();
  for (const path of filesOfGit('examples')) cpSync(join(projectRoot, path), join(folder, path));
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const start = String(scripts.start)
    .replace('node scripts/setup.mjs && ', '')
    .replace('node bin/pawl.js', 'pawl');
  // The tests are running already: that there is such a script is all that can be asked.
  const known = Object.keys(scripts).join('|');
  const cases = [`start) ${start} ;;`, `${known}|install|i) ;;`, '*) exit 64 ;;'];
  program(
    join(folder, 'node_modules/.bin/npm'),
    `[ "$1" = run ] && shift\ncase "$1" in\n${cases.join('\n')}\nesac`,
  );
  return folder;
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/**
 * Runs a block as a shell would that stops at the first trouble. One that is to be ended by a signal needs processes of
 * its own.
 */
export async function runBlock(folder: string, text: string, code: number): Promise<Ended> {
  const lines = code > 128 ? undefined : plainLines(text);
  if (lines === undefined) return runShell(folder, text);
  let output = '';
  for (const line of lines) {
    const ended = line.kind === 'shell' ? runShell(folder, line.text) : await callPawl(folder, line.args);
    output += ended.output;
    const wanted = line.kind === 'shell' ? 0 : (line.code ?? 0);
    if (ended.code !== wanted) return { code: ended.code || 64, output };
  }
  return { code: 0, output };
}

async function callPawl(folder: string, args: readonly string[]): Promise<Ended> {
  const call = { args, cwd: folder, variables: variablesIn(folder) };
  if (!canCallHere(call)) throw new Error('another call is under way');
  const { code, stdout, stderr } = await callHere(call);
  return { code, output: stdout + stderr };
}

function runShell(folder: string, text: string): Ended {
  const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', withExitCodes(text)], {
    cwd: folder,
    env: variablesIn(folder),
    encoding: 'utf8',
  });
  return { code: status, output: stdout + stderr };
}

function variablesIn(folder: string): Record<string, string> {
  return {
    ...(process.env as Record<string, string>),
    PATH: `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`,
    XDG_STATE_HOME: join(folder, '.state'),
    HOME: join(folder, '.home'),
    CLAUDE_PROJECT_DIR: folder,
    NO_COLOR: '1',
    // The mock models of the examples take their time for those who watch.
    BOOK_PAUSE_MS: '0',
    SPRITES_PAUSE_MS: '0',
    AGENTS_PAUSE_MS: '0',
  };
}

/** Compiles a program of a user's against the types of the package. */
export function checkTypes(folder: string, text: string): void {
  writeInto(folder, 'shown.mts', text);
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--types',
    'node',
    '--typeRoots',
  ];
  const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc');
  const call = [compiler, ...options, join(projectRoot, 'node_modules/@types'), 'shown.mts'];
  const { status, stdout } = spawnSync(process.execPath, call, { cwd: folder, encoding: 'utf8' });
  expect(status, stdout).toBe(0);
}

/** A line whose comment says `exit 4` has to end so, and the lines after it go on. */
function withExitCodes(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const [, command, code] = /^(.*\S)\s+#.*\bexit (?:code )?(\d+)/.exec(line) ?? [];
      return command === undefined ? line : `if ${command}; then exit 64; else test $? -eq ${code}; fi`;
    })
    .join('\n');
}

function program(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

function filesOfGit(folder: string): string[] {
  const call = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', folder];
  const { stdout } = spawnSync('git', call, { cwd: projectRoot, encoding: 'utf8' });
  return stdout.split('\n').filter((path) => path !== '');
}

export function writeInto(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
