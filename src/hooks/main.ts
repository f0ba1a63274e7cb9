import { dirname } from 'node:path';
import { takeStartFolder } from '../base/start-folder.ts';
import { commandIn } from '../engine/agents/find-launch.ts';
import { type Environment, systemEnvironment } from '../engine/open/environment.ts';
import { isFolder } from './fields.ts';
import { respond } from './respond.ts';
import { showStatus } from './statusline.ts';
import { printOut, readInput } from './stdin.ts';
import type { World } from './world.ts';

/**
 * `pawl hook AGENT [EVENT]` and `pawl statusline`: one JSON document on stdin, at most one answer on stdout, and always
 * exit code 0. Agents wait for this at every turn, so nothing is loaded that is not needed.
 */
export async function main(argv: readonly string[]): Promise<void> {
  for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, leave);
  const { folder, rest } = takeStartFolder(argv);
  const [command, ...args] = rest;
  try {
    if (folder !== undefined) process.chdir(folder);
    const input = await readInput();
    const world = systemWorld();
    if (command === 'statusline') await showStatus(world, input, printOut);
    else await respond(world, args, input, printOut);
  } finally {
    // What took too long is not waited for.
    leave();
  }
}

function systemWorld(): World {
  const env = environment();
  // Agents name the project in a variable, because their current folder may be another one.
  const projects = projectVariables.map((name) => process.env[name]).filter(isFolder);
  return {
    env,
    folders: [...projects, env.cwd],
    command: (root) => commandIn(env.disk, root, process.env.PATH),
    // This variable names the file for a revision, which lies in the folder of the attempt.
    attempt: isFolder(process.env.PAWL_REVISE) ? dirname(process.env.PAWL_REVISE) : undefined,
    finishedStep: async (root, run, path) => {
      const { finishedStepAt } = await import('../engine/brief/finished-step.ts');
      return finishedStepAt(env, root, run, path);
    },
    refresh: async (root, folder) => {
      const { refreshBrief } = await import('../engine/brief/refresh.ts');
      const made = await refreshBrief(env, root, folder);
      if (!made.ok) return { state: undefined, trouble: made.failure.reason };
      return { state: made.value.state, trouble: made.value.trouble?.reason };
    },
  };
}

/** The current folder may be gone; the agent still names the project's folder. */
function environment(): Environment {
  try {
    return systemEnvironment();
  } catch {
    process.chdir('/');
    return systemEnvironment();
  }
}

const projectVariables = ['CLAUDE_PROJECT_DIR', 'GEMINI_PROJECT_DIR', 'CURSOR_PROJECT_DIR'];

function leave(): void {
  process.exit(0);
}
