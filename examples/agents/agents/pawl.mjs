// How an agent talks to Pawl: it calls the command and reads one JSON document.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const command = findCommand();

/**
 * What `pawl next` hands out; here and below the parts that are used here.
 * @typedef {{
 *   unit: string, title: string, phase: string, attempt: number, iteration: number,
 *   why: { code: string, attempt?: number }, leaseMs: number, previous?: string, folder: string,
 *   prompt: { text: string }, files: string[],
 * }} Task
 * @typedef {{ unit: string, state: string, claim?: { actor: string, attempt: number, until: string } }} TaskView
 *
 * What the commands answer, each with its own parts; what went wrong has a reason and a message.
 * @typedef {{
 *   reason?: string, message?: string,
 *   task?: Task, none?: { code: string },
 *   heading?: { run: string }, tasks?: { runnable: number }, stages?: { tasks: TaskView[] }[],
 * }} Answer
 */

/**
 * Calls `pawl … --json`: the exit code, and the document that was printed.
 * @param {string[]} args
 * @returns {Promise<{ code: number, answer: Answer }>}
 */
export function pawl(...args) {
  return new Promise((resolve, reject) => {
    const [program = '', ...first] = command;
    const child = spawn(program, [...first, ...args, '--json'], { stdio: ['ignore', 'pipe', 'ignore'] });
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      try {
        resolve({ code: code ?? 1, answer: JSON.parse(stdout) });
      } catch {
        const hint = stdout === '' ? 'is pawl installed here? PAWL_BIN may name its bin/pawl.js' : stdout;
        reject(new Error(`pawl ${args.join(' ')} ended with ${code}: ${hint}`));
      }
    });
  });
}

/** What `PAWL_BIN` names, or the package that is installed here or in a folder above, or what npx finds installed; it never downloads. */
function findCommand() {
  if (process.env.PAWL_BIN) return [process.execPath, process.env.PAWL_BIN];
  try {
    const manifest = createRequire(import.meta.url).resolve('pawl/package.json');
    return [process.execPath, join(manifest, '../bin/pawl.js')];
  } catch {
    return ['npx', '--no-install', 'pawl'];
  }
}
