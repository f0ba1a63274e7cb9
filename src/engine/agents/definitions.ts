import type { JsonObject } from '../../base/json.ts';
import type { Launch } from './command.ts';
import type { AgentEntries, HookEntry, PropertyEntry } from './entries.ts';
import { opencodePlugin } from './opencode-plugin.ts';
import { type AgentName, type HookMoment, hookMoments, supports } from './supports.ts';
import type { InstallNote } from './trouble.ts';
import { shellWord } from './words.ts';

/*
 * What is installed for each agent, and where: the shapes that their documentation gives (`documentation` in
 * `supports.ts`).
 */

/** Where and how something is installed. */
export interface AgentFilePlace {
  readonly agent: AgentName;
  readonly scope: 'project' | 'user';
  /** The project. */
  readonly root: string;
  /** Where the agent keeps the settings of the user; undefined where nobody knows. */
  readonly userFolder: string | undefined;
  /** Where the user's skills for all agents are. */
  readonly userSkills: string | undefined;
  readonly launch: Launch;
}

/** One file of an agent's settings. */
export type AgentFile =
  /** Settings with entries of anybody's. */
  | {
      readonly kind: 'json';
      readonly path: string;
      /** The same settings under another name, which are taken where they are there. */
      readonly orPath?: string;
      /** What such a file has to say besides, when it is made. */
      readonly skeleton: JsonObject;
      readonly entries: AgentEntries;
      /** Other settings that count beside these: a status line of somebody's in them is kept. */
      readonly beside?: readonly string[];
    }
  | {
      readonly kind: 'toml';
      readonly path: string;
      readonly table: readonly string[];
      readonly argv: readonly string[];
      readonly task: readonly string[];
      readonly taken: InstallNote;
    }
  /** A file that is ours as a whole, and says so. */
  | { readonly kind: 'whole'; readonly path: string; readonly text: string; readonly mark: RegExp };

export interface Definition {
  readonly files: readonly AgentFile[];
  readonly skillsFolder: string;
  readonly notes: readonly InstallNote[];
}

export function definitionOf(place: AgentFilePlace): Definition {
  return definitions[place.agent](place);
}

/** What is written for others to use, too, has to start Pawl on their machines. */
export function launchNotes({ launch }: AgentFilePlace): InstallNote[] {
  const command = launch.argv.map(shellWord).join(' ');
  return launch.isOfThisMachine ? [{ note: 'works-here-only', command }] : [];
}

/** A skill of ours names the package in its metadata. */
export const skillMark = /^---\r?\n(?:(?!---)[^\n]*\n)*?[ \t]+package: pawl\r?\n/;

const definitions: Readonly<Record<AgentName, (place: AgentFilePlace) => Definition>> = {
  claude(place) {
    const { scope, root, launch } = place;
    const folder = folderOf(place, '.claude');
    const settings: AgentFile = {
      kind: 'json',
      path: `${folder}/settings.json`,
      skeleton: {},
      entries: {
        ...hooksOf(place, groupedHook),
        properties: [statusLine(place, `${folder}/settings.json`)],
      },
      beside:
        scope === 'user'
          ? []
          : [`${root}/.claude/settings.local.json`, ...below(place.userFolder, 'settings.json')],
    };
    const byCommand = ['claude', 'mcp', 'add', '--scope', 'user', 'pawl', '--', ...launch.argv, 'mcp'];
    return {
      files:
        scope === 'user' ? [settings] : [settings, serverFile(place, `${root}/.mcp.json`, 'mcpServers', {})],
      skillsFolder: `${folder}/skills`,
      notes: scope === 'user' ? [{ note: 'server-by-command', command: byCommand }] : [],
    };
  },

  codex(place) {
    const folder = folderOf(place, '.codex');
    const config = `${folder}/config.toml`;
    return {
      files: [
        { kind: 'json', path: `${folder}/hooks.json`, skeleton: {}, entries: hooksOf(place, groupedHook) },
        {
          kind: 'toml',
          path: config,
          table: ['mcp_servers', 'pawl'],
          argv: place.launch.argv,
          task: ['mcp'],
          taken: { note: 'server-name-taken', path: config },
        },
      ],
      skillsFolder: sharedSkills(place),
      notes: [{ note: 'trust-hooks', agent: 'codex', where: '/hooks' }],
    };
  },

  cursor(place) {
    const folder = folderOf(place, '.cursor');
    const hooks: AgentFile = {
      kind: 'json',
      path: `${folder}/hooks.json`,
      skeleton: { version: 1 },
      entries: hooksOf(place, (command, moment, matcher) => ({
        command,
        timeout: timeoutsSec[moment],
        ...(matcher === undefined ? {} : { matcher }),
      })),
    };
    const isUser = place.scope === 'user';
    return {
      files: isUser
        ? [hooks]
        : [hooks, serverFile(place, `${folder}/mcp.json`, 'mcpServers', {}, [workspaceFolder])],
      skillsFolder: sharedSkills(place),
      notes: isUser ? [{ note: 'server-per-project', agent: 'cursor' }] : [claudeHooks(place)],
    };
  },

  gemini(place) {
    const path = `${folderOf(place, '.gemini')}/settings.json`;
    const hooks = hooksOf(place, (command, moment, matcher) => ({
      ...(matcher === undefined ? {} : { matcher }),
      hooks: [{ name: 'pawl', type: 'command', command, timeout: timeoutsSec[moment] * 1000 }],
    }));
    const entries = { ...hooks, properties: [server(place, path, 'mcpServers', {})] };
    return {
      files: [{ kind: 'json', path, skeleton: {}, entries }],
      skillsFolder: sharedSkills(place),
      notes: [],
    };
  },

  copilot(place) {
    const isUser = place.scope === 'user';
    const folder = folderOf(place, '.github');
    const hooks: AgentFile = {
      kind: 'json',
      path: `${folder}/hooks/pawl.json`,
      skeleton: { version: 1 },
      entries: hooksOf(place, (command, moment, matcher) => ({
        type: 'command',
        command,
        ...(place.launch.isLocal ? { cwd: '.' } : {}),
        timeout: timeoutsSec[moment],
        ...(matcher === undefined ? {} : { matcher }),
      })),
    };
    const cli = serverFile(place, isUser ? `${folder}/mcp-config.json` : `${folder}/mcp.json`, 'mcpServers', {
      type: 'local',
      tools: ['*'],
    });
    const editor = serverFile(place, `${place.root}/.vscode/mcp.json`, 'servers', { type: 'stdio' }, [
      workspaceFolder,
    ]);
    return {
      files: isUser ? [hooks, cli] : [hooks, cli, editor],
      skillsFolder: sharedSkills(place),
      notes: isUser ? [] : [claudeHooks(place)],
    };
  },

  opencode(place) {
    const { root, scope, launch } = place;
    const folder = folderOf(place, '.opencode');
    const settings = scope === 'user' ? `${folder}/opencode.json` : `${root}/opencode.json`;
    const value = { type: 'local', command: [...launch.argv, 'mcp'] };
    const taken: InstallNote = { note: 'server-name-taken', path: settings };
    return {
      files: [
        { kind: 'whole', path: `${folder}/plugins/pawl.js`, ...opencodePlugin(launch) },
        {
          kind: 'json',
          path: settings,
          orPath: `${settings}c`,
          skeleton: { $schema: 'https://opencode.ai/config.json' },
          entries: {
            hookTask: ['hook', 'opencode'],
            hooks: [],
            // The newer form is not understood by version 1, and the older one by both.
            properties: [
              { at: ['mcp', 'pawl'], ifThere: ['mcp', 'servers', 'pawl'], value, task: ['mcp'], taken },
            ],
          },
        },
      ],
      skillsFolder: sharedSkills(place),
      notes: [],
    };
  },
};

/** Cursor and VS Code put the folder of the project there; they do not start a server in it. */
const workspaceFolder = `\${workspaceFolder}`;

/** A hook is killed after that. All answer in a fraction of it, unless `npx` has to fetch something. */
const timeoutsSec: Readonly<Record<HookMoment, number>> = {
  'session-start': 10,
  'pre-compact': 10,
  'pre-tool': 5,
  prompt: 5,
  stop: 5,
  'subagent-stop': 5,
  // Codex allows no more.
  'session-end': 3,
};

/** The tools that write files, and of Gemini the only trigger that proves a compaction. */
const matchers: Readonly<Record<AgentName, Readonly<Partial<Record<HookMoment, string>>>>> = {
  claude: { 'pre-tool': 'Write|Edit|MultiEdit|NotebookEdit' },
  codex: { 'pre-tool': 'apply_patch|Edit|Write' },
  cursor: { 'pre-tool': 'Write' },
  gemini: { 'pre-tool': 'write_file|replace', 'pre-compact': 'manual' },
  copilot: { 'pre-tool': 'create|edit|str_replace_editor|apply_patch|Write|Edit|MultiEdit' },
  opencode: {},
};

type HookShape = (command: string, moment: HookMoment, matcher: string | undefined) => JsonObject;

const groupedHook: HookShape = (command, moment, matcher) => ({
  ...(matcher === undefined ? {} : { matcher }),
  hooks: [{ type: 'command', command, timeout: timeoutsSec[moment] }],
});

function hooksOf({ agent, launch }: AgentFilePlace, shape: HookShape): AgentEntries {
  const hooks = hookMoments.flatMap((moment): HookEntry[] => {
    const event = supports[agent][moment];
    const matcher = matchers[agent][moment];
    return event === undefined
      ? []
      : [{ event, value: shape(`${launch.shell} hook ${agent}`, moment, matcher) }];
  });
  return { hookTask: ['hook', agent], hooks, properties: [] };
}

function statusLine({ launch }: AgentFilePlace, path: string): PropertyEntry {
  return {
    at: ['statusLine'],
    value: { type: 'command', command: `${launch.statusLine} statusline` },
    task: ['statusline'],
    taken: { note: 'status-line-taken', path },
  };
}

function server(
  { launch }: AgentFilePlace,
  path: string,
  key: string,
  { tools, ...kind }: JsonObject,
  folder: readonly string[] = [],
): PropertyEntry {
  const [command = '', ...args] = [...launch.argv, 'mcp', ...folder];
  return {
    at: [key, 'pawl'],
    value: { ...kind, command, args, ...(tools === undefined ? {} : { tools }) },
    task: ['mcp'],
    taken: { note: 'server-name-taken', path },
  };
}

function serverFile(
  place: AgentFilePlace,
  path: string,
  key: string,
  kind: JsonObject,
  folder: readonly string[] = [],
): AgentFile {
  const properties = [server(place, path, key, kind, folder)];
  return {
    kind: 'json',
    path,
    skeleton: {},
    entries: { hookTask: ['hook', place.agent], hooks: [], properties },
  };
}

function claudeHooks({ agent, root }: AgentFilePlace): InstallNote {
  return { note: 'claude-hooks-run-too', agent, path: `${root}/.claude/settings.json` };
}

/** `.agents/skills` is read by all of them but Claude Code. */
function sharedSkills({ scope, root, userSkills }: AgentFilePlace): string {
  return scope === 'user' ? (userSkills ?? '') : `${root}/.agents/skills`;
}

function folderOf({ scope, root, userFolder }: AgentFilePlace, name: string): string {
  return scope === 'user' ? (userFolder ?? '') : `${root}/${name}`;
}

const below = (folder: string | undefined, name: string) =>
  folder === undefined ? [] : [`${folder}/${name}`];
