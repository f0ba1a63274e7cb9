import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterFile } from './after-file.ts';
import { projectRoot, type TestWorkspace } from './workspace.ts';

/** A call of the command that goes on, with all that it prints. */
export interface Reading {
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when the text was printed so often; fails when the command ends before. */
  says(text: string, times?: number): Promise<void>;
}

export function startReading({ root, env }: TestWorkspace, ...args: string[]): Reading {
  const child = spawn(process.execPath, [join(projectRoot, 'bin/pawl.js'), ...args], { cwd: root, env });
  afterFile(() => child.kill('SIGKILL'));
  let output = '';
  let isOver = false;
  const looks = new Set<() => void>();
  const lookAll = () => {
    for (const look of looks) look();
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      lookAll();
    });
  }
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.on('close', (code) => {
      isOver = true;
      lookAll();
      resolve({ code, output });
    });
  });
  const says = (text: string, times = 1) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (output.split(text).length > times) resolve();
        else if (isOver) reject(new Error(`ended without "${text}":\n${output}`));
        else return;
        looks.delete(look);
      };
      looks.add(look);
      look();
    });
  return { ended, kill: (signal) => void child.kill(signal), says };
}
