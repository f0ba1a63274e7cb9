import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot, type TestWorkspace } from './workspace.ts';

/** Without `script` of util-linux there is no terminal to be had here. */
export const canPretend = spawnSync('script', ['--version']).status === 0;

/** Calls the command with a terminal on all three ends; answers when it has been asked. */
export function inTerminal(
  { root, env }: TestWorkspace,
  command: string,
  reply?: { readonly question: string; readonly answer: string },
  columns = 100,
): Promise<{ code: number | null; screen: string }> {
  // A terminal that nobody looks at has no size.
  const line = `stty cols ${columns} rows 30; "${process.execPath}" "${join(projectRoot, 'bin/pawl.js')}" ${command}`;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: root,
    env: { ...env, TERM: 'xterm-256color' },
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

/** The lines that the command shows in a terminal of 80 columns, without colours. */
export async function linesAt80(work: TestWorkspace, command: string): Promise<string[]> {
  const { screen } = await inTerminal(
    { ...work, env: { ...work.env, NO_COLOR: '1' } },
    command,
    undefined,
    80,
  );
  return screen.split(/\r*\n/);
}
