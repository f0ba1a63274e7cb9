import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot, type TestWorkspace, variablesOf } from './workspace.ts';

/** Without `script` of util-linux there is no terminal to be had here. */
export const canPretend = spawnSync('script', ['--version']).status === 0;

/** What to type once the screen shows the question, after what came before. */
interface Reply {
  readonly question: string;
  readonly answer: string;
}

/** Calls the command with a terminal on all three ends; answers each question when it is asked. */
export function inTerminal(
  workspace: TestWorkspace,
  command: string,
  reply: Reply | readonly Reply[] = [],
  columns = 100,
): Promise<{ code: number | null; screen: string }> {
  // A terminal that nobody looks at has no size.
  const line = `stty cols ${columns} rows 30; "${process.execPath}" "${join(projectRoot, 'bin/pawl.js')}" ${command}`;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd: workspace.root,
    env: { ...variablesOf(workspace), TERM: 'xterm-256color' },
  });
  let screen = '';
  let seen = 0;
  const replies = [reply].flat();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    const [next] = replies;
    if (next === undefined || !screen.includes(next.question, seen)) return;
    seen = screen.length;
    replies.shift();
    child.stdin.write(next.answer);
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, screen })));
}

/** The lines that the command shows in a terminal of 80 columns, without colours. */
export async function linesAt80(work: TestWorkspace, command: string): Promise<string[]> {
  const { screen } = await inTerminal({ ...work, env: { ...work.env, NO_COLOR: '1' } }, command, [], 80);
  return screen.split(/\r*\n/);
}
