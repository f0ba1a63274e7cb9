import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pawl } from '../support/command.ts';
import { projectRoot, read, type TestWorkspace, workspaceWith } from '../support/workspace.ts';

/*
 * One signal that reaches Pawl and what it has started alike, as Ctrl-C does with a command that is just starting. Each
 * step signals the process group that Pawl leads and ends by the same signal, so the order is the same each time.
 */

const command = `pawl: 1
pipeline: stopped-together
units: [a]
phases:
  build:
    run: { command: [node, build.mjs, "{output.text}"] }
    outputs: { text: "out/{unit}.txt" }
    retries: { attempts: 1 }
`;

const calledFunction = command.replace(
  '{ command: [node, build.mjs, "{output.text}"] }',
  '{ function: ./build.mjs#build }',
);

const wrappingFunction = calledFunction.replace('#build', '#wrapped');

const provider = command
  .replace('phases:', 'models: { providers: { local: { function: ./build.mjs#answer } } }\nphases:')
  .replace('run: { command: [node, build.mjs, "{output.text}"] }', 'model: local/any\n    prompt: prompt.md');

const program = `
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
const first = () => {
  if (existsSync('stopped')) return false;
  writeFileSync('stopped', '');
  return true;
};
export async function build() {
  if (first()) execFileSync('/bin/sh', ['-c', 'kill -INT -$PPID; kill -INT $$; exec sleep 60'], { stdio: 'ignore' });
  return { text: 'built' };
}
export const answer = async () => (await build()).text;
export const wrapped = () =>
  build().catch((error) => {
    throw new Error('the tool failed', { cause: new Error('it ended', { cause: error }) });
  });
if (process.argv[2] !== undefined && process.argv[1].endsWith('build.mjs')) {
  if (first()) {
    process.kill(-process.ppid, 'SIGINT');
    if (process.env.HANDLES) process.exit(130);
    process.kill(process.pid, 'SIGINT');
    setInterval(() => {}, 1_000);
  } else writeFileSync(process.argv[2], 'built');
}
`;

/** Pawl as a terminal starts it: the leader of its own process group. */
async function runAsLeader(workspace: TestWorkspace): Promise<number | null> {
  const child = spawn(process.execPath, [join(projectRoot, 'bin/pawl.js'), 'run'], {
    cwd: workspace.root,
    env: { ...workspace.env },
    stdio: 'ignore',
    detached: true,
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

describe('one signal for Pawl and for what it runs', () => {
  it.each([
    ['a command', command],
    [
      'a command that reports it by its exit code',
      command.replace('text}"] }', 'text}"], env: { HANDLES: "1" } }'),
    ],
    ['a child of a function', calledFunction],
    ['a child of a function that wraps its error', wrappingFunction],
    ['a child of a function that answers for a model', provider],
  ])(
    'is an interruption and uses up no attempt: %s',
    async (_, manifest) => {
      const workspace = workspaceWith(manifest, { 'build.mjs': program, 'prompt.md': 'Build.\n' });
      expect(await runAsLeader(workspace)).toBe(130);
      const why = await pawl(workspace, 'why', 'a/build');
      expect(why.stdout).toContain('attempt 1 was cut off');
      expect(why.stdout).not.toContain('failed');
      const again = await pawl(workspace, 'run');
      expect([again.code, read(workspace, 'out/a.txt').trim()]).toEqual([0, 'built']);
    },
    60_000,
  );

  it.each([
    ['a check command', 'command: [node, check.mjs, "{file}"]', ''],
    [
      'a check command that reports it by its exit code',
      'command: [node, check.mjs, "{file}"]',
      'process.exit(130);',
    ],
    ['a child of a check function', 'function: ./check.mjs#check', ''],
  ])(
    'is no verdict of a check, which is asked once more: %s',
    async (_, check, handled) => {
      const workspace = workspaceWith(checked(check), { 'check.mjs': checking(handled) });
      expect(await runAsLeader(workspace)).toBe(0);
      const why = await pawl(workspace, 'why', 'a/build');
      expect(why.stdout).toContain('done, 1 attempt');
      expect(read(workspace, 'asked')).toBe('12');
    },
    60_000,
  );
});

const checked = (check: string) => `pawl: 1
pipeline: stopped-together
units: [a]
phases:
  build:
    run: { command: [sh, -c, 'echo built > "$PAWL_OUTPUT_TEXT"'] }
    outputs: { text: { path: "out/{unit}.txt", check: { ${check} } } }
    retries: { attempts: 1 }
`;

/** Signals Pawl and itself, or its child, when it is asked for the first time. */
const checking = (handled: string) => `
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';
const first = () => {
  const isFirst = !existsSync('asked');
  appendFileSync('asked', isFirst ? '1' : '2');
  return isFirst;
};
export function check() {
  if (first()) execFileSync('/bin/sh', ['-c', 'kill -INT -$PPID; kill -INT $$; exec sleep 60'], { stdio: 'ignore' });
}
if (process.argv[1].endsWith('check.mjs') && first()) {
  process.kill(-process.ppid, 'SIGINT');
  ${handled}
  process.kill(process.pid, 'SIGINT');
  setInterval(() => {}, 1_000);
}
`;
