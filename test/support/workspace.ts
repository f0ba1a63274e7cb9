import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashBytes } from '../../src/base/hash.ts';
import { tempFolder } from './temp.ts';

/** A workspace on the real disk, and the environment in which the command is called on it. */
export interface TestWorkspace {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  /** By how much the clock of the command is ahead. */
  readonly laterMs?: number;
}

export const projectRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const programs = join(projectRoot, 'test/support/programs');

/** The example of the project, as a fresh clone has it, without its pauses. */
export function copyOfBook(): TestWorkspace {
  const root = join(tempFolder(), 'book');
  const made = new Set(['draft', 'state.json', '.pawl']);
  cpSync(join(projectRoot, 'examples/book'), root, {
    recursive: true,
    filter: (path) => !made.has(path.slice(join(projectRoot, 'examples/book').length + 1)),
  });
  return { root, env: environmentBeside(root) };
}

/**
 * A workspace with this manifest. `phases.mjs` and `tool.mjs` of `programs/` lie in it: functions and a command that
 * write down each call and do what the test tells them.
 */
export function workspaceWith(manifest: string, files: Readonly<Record<string, string>> = {}): TestWorkspace {
  const root = join(tempFolder(), 'work');
  mkdirSync(root);
  cpSync(programs, root, { recursive: true });
  const workspace = { root, env: environmentBeside(root) };
  write(workspace, 'pawl.yaml', manifest);
  for (const [path, text] of Object.entries(files)) write(workspace, path, text);
  return workspace;
}

/** The same files elsewhere: other inodes and times, as after `cp -r`; what is outside the workspace stays shared. */
export function copyOf({ root, env, ...more }: TestWorkspace): TestWorkspace {
  const to = join(tempFolder(), 'copy');
  cpSync(root, to, { recursive: true });
  const calls = join(dirname(to), 'calls');
  return { ...more, root: to, env: { ...env, TEST_CALLS: calls, BOOK_CALLS: calls } };
}

/** The same workspace, in which the command is called so much later. */
export function later(workspace: TestWorkspace, ms: number): TestWorkspace {
  return { ...workspace, laterMs: ms };
}

/** The variables of a process that is started in the workspace. */
export function variablesOf({ env, laterMs = 0 }: TestWorkspace): Record<string, string> {
  if (laterMs === 0) return { ...env };
  const shift = `const now = Date.now; Date.now = () => now() + ${laterMs};`;
  return { ...env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shift)}` };
}

export function withEnv(workspace: TestWorkspace, env: Readonly<Record<string, string>>): TestWorkspace {
  return { ...workspace, env: { ...workspace.env, ...env } };
}

export function write({ root }: TestWorkspace, path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

export function read({ root }: TestWorkspace, path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

export function readJson(workspace: TestWorkspace, path: string): unknown {
  return JSON.parse(read(workspace, path));
}

export function has({ root }: TestWorkspace, path: string): boolean {
  return existsSync(join(root, path));
}

/** Replaces text in a file, and fails where it is not there. */
export function edit(workspace: TestWorkspace, path: string, from: string, to: string): void {
  const text = read(workspace, path);
  if (!text.includes(from)) throw new Error(`${path} does not hold: ${from}`);
  write(workspace, path, text.replace(from, to));
}

/** Every file below a folder with the hash of its bytes, by path relative to the workspace. */
export function hashes({ root }: TestWorkspace, folder = '.'): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    found[path.slice(root.length + 1)] = hashBytes(readFileSync(path));
  }
  return found;
}

/** What a book is in the end: the scenes, all that led to them and the state. Not when and in how many attempts. */
export function finalFiles(workspace: TestWorkspace): Record<string, string> {
  const files = Object.entries(hashes(workspace, 'draft'));
  const made = files.filter(([path]) => !path.startsWith('draft/context/phase_history/'));
  return { ...Object.fromEntries(made), 'state.json': hashBytes(read(workspace, 'state.json')) };
}

/** A phase that was really executed. */
export interface PhaseCall {
  /** `ch001_sc002/write` */
  readonly cell: string;
  /** Undefined for what answers in a model's place: nobody tells a model how often it was asked. */
  readonly attempt: number | undefined;
  readonly iteration: number;
}

/** Every execution of a phase so far, as the phases themselves have written it down. */
export function calls({ env }: TestWorkspace): PhaseCall[] {
  const file = env.TEST_CALLS ?? '';
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [unit, phase, attempt, round] = line.split(' ');
    return {
      cell: `${unit}/${phase}`,
      attempt: attempt === '-' ? undefined : Number(attempt),
      iteration: Number(round),
    };
  });
}

/** The cells that were executed since an earlier look, in order. */
export function stepsCalled(workspace: TestWorkspace, since = 0): string[] {
  return calls(workspace)
    .slice(since)
    .map(({ cell: step }) => step);
}

function environmentBeside(root: string): Record<string, string> {
  const beside = dirname(root);
  const callsFile = join(beside, 'calls');
  return {
    PATH: process.env.PATH ?? '',
    TMPDIR: process.env.TMPDIR ?? '/tmp',
    HOME: beside,
    XDG_STATE_HOME: join(beside, 'state'),
    LANG: 'C.UTF-8',
    BOOK_PAUSE_MS: '0',
    BOOK_CALLS: callsFile,
    TEST_CALLS: callsFile,
  };
}
