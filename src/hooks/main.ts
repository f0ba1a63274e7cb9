import { systemEnvironment } from '../engine/environment.ts';
import { isFolder } from './fields.ts';
import { respond } from './respond.ts';
import { showStatus } from './statusline.ts';
import { printOut, readInput } from './stdin.ts';
import type { World } from './world.ts';

/**
 * `pawl hook AGENT [EVENT]` and `pawl statusline`: one JSON document on stdin, at most one answer on stdout, and always
 * exit code 0. Agents wait for this at every turn, so nothing is loaded that is not needed.
 */
export async function main([command, ...args]: readonly string[]): Promise<void> {
  for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, leave);
  try {
    const input = readInput();
    const world = systemWorld();
    if (command === 'statusline') showStatus(world, input, printOut);
    else await respond(world, args, input, printOut);
  } finally {
    // What took too long is not waited for.
    leave();
  }
}

function systemWorld(): World {
  const env = systemEnvironment();
  // Agents tell their hooks where the project is, wherever they have gone to since.
  const projects = projectVariables.map((name) => process.env[name]).filter(isFolder);
  return {
    env,
    folders: [...projects, env.cwd],
    refresh: async (root) => {
      const { refreshBrief } = await import('../engine/brief/refresh.ts');
      return refreshBrief(env, root);
    },
  };
}

const projectVariables = ['CLAUDE_PROJECT_DIR', 'GEMINI_PROJECT_DIR', 'CURSOR_PROJECT_DIR'];

function leave(): void {
  process.exit(0);
}
