import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pawl } from '../support/command.ts';
import { has, hashes, projectRoot, type TestWorkspace, workspaceWith } from '../support/workspace.ts';

const escapeCode = String.fromCharCode(27);
const canPretend = spawnSync('script', ['--version']).status === 0;

/** Without `script` of util-linux there is no terminal to be had here. */
describe.skipIf(!canPretend)('in a terminal', () => {
  it('a run is drawn in place, and the cursor comes back', async () => {
    const work = workspaceWith(manifest);
    const { code, screen } = await inTerminal(work, 'run');
    expect(code).toBe(0);
    expect(screen).toContain(`${escapeCode}[?25l`);
    expect(screen.lastIndexOf(`${escapeCode}[?25h`)).toBeGreaterThan(
      screen.lastIndexOf(`${escapeCode}[?25l`),
    );
    expect(screen).toContain('all 2 units done');
    expect(screen).not.toContain('a/one started');
  });

  it('what cannot be undone is asked about first', async () => {
    const work = workspaceWith(manifest);
    expect((await pawl(work, 'run')).code).toBe(0);
    const before = hashes(work);
    const no = await inTerminal(work, 'reset', { question: 'Archive run', answer: 'n' });
    expect(no.code).toBe(4);
    expect(hashes(work)).toEqual(before);
    const yes = await inTerminal(work, 'reset', { question: 'Archive run', answer: 'y' });
    expect(yes.code).toBe(0);
    expect(has(work, 'out/a.txt')).toBe(false);
  });
});

/** Calls the command with a terminal on all three ends; answers when it has been asked. */
function inTerminal(
  work: TestWorkspace,
  command: string,
  reply?: { question: string; answer: string },
): Promise<{ code: number | null; screen: string }> {
  // A terminal that nobody looks at has no size.
  const line = `stty cols 100 rows 30; "${process.execPath}" "${join(projectRoot, 'bin/pawl.js')}" ${command}`;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: work.root,
    env: { ...work.env, TERM: 'xterm-256color' },
  });
  let screen = '';
  let isAnswered = false;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    if (reply === undefined || isAnswered || !screen.includes(reply.question)) return;
    isAnswered = true;
    child.stdin.write(reply.answer);
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, screen })));
}

const manifest = `
pawl: 1
pipeline: drawn
units: [a, b]
phases:
  one:
    run: { function: ./phases.mjs#step }
    outputs: { text: "out/{unit}.txt" }
`;
