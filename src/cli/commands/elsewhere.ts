import type { CommandSpec } from '../../text/help/help.ts';
import { actorOption, pathArgument } from '../options.ts';

/* Commands that other programs answer: `bin/pawl.js` starts them. Here they are only described, for help. */

export const hookCommand: CommandSpec = {
  name: 'hook',
  group: 'tasks',
  summary: 'what coding agents call; reads one JSON document, always ends with 0',
  arguments: [
    { name: '<agent>', summary: 'claude, codex, cursor, gemini, copilot, opencode' },
    { name: '[event]', summary: 'where the agent does not say it itself' },
  ],
  options: [],
};

export const statuslineCommand: CommandSpec = {
  name: 'statusline',
  group: 'tasks',
  summary: 'one line for the status line of an agent; notes how full its context is',
  arguments: [],
  options: [],
};

export const mcpCommand: CommandSpec = {
  name: 'mcp',
  group: 'tasks',
  summary: 'serve all this to coding agents, over MCP',
  details: ['Speaks the Model Context Protocol on stdin and stdout until stdin ends.'],
  arguments: [pathArgument],
  options: [actorOption],
};

/** `main` answers it. */
export const helpCommand: CommandSpec = {
  name: 'help',
  group: 'care',
  summary: 'say more about a command, or about the exit codes',
  arguments: [{ name: '[command]', summary: 'which one, or exit-codes; default: all in short' }],
  options: [],
};
