import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { realEnvironment } from '../../../test/fixtures/real.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Environment } from '../open/environment.ts';
import { applyInstall } from './apply.ts';
import type { InstallRequest } from './place.ts';
import { type InstallPlan, planInstall, planUninstall } from './plan.ts';
import { agentStates } from './states.ts';
import { type AgentName, agentNames } from './supports.ts';

interface World {
  readonly env: Environment;
  readonly root: string;
  readonly home: string;
}

function world(
  files: Readonly<Record<string, string>> = {},
  home: Readonly<Record<string, string>> = {},
): World {
  const root = tempFolder(files);
  return { env: realEnvironment(root), root, home: tempFolder(home) };
}

/** With the memory of what was put where. */
const remembering = (made: World): World => ({ ...made, env: { ...made.env, stateFolder: tempFolder() } });

const asked = (
  { root, home }: World,
  agent: AgentName,
  more: Partial<InstallRequest> = {},
): InstallRequest => ({
  agent,
  scope: 'project',
  root,
  home,
  command: ['pawl'],
  ...more,
});

function value(result: ReturnType<typeof planInstall>): InstallPlan {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
}

async function install(
  made: World,
  agent: AgentName,
  more: Partial<InstallRequest> = {},
): Promise<InstallPlan> {
  const plan = value(planInstall(made.env, asked(made, agent, more)));
  expect(await applyInstall(made.env, plan)).toEqual({
    ok: true,
    value: { written: plan.changes.map(({ path }) => path) },
  });
  return plan;
}

async function uninstall(
  made: World,
  agent: AgentName,
  more: Partial<InstallRequest> = {},
): Promise<InstallPlan> {
  const plan = value(planUninstall(made.env, asked(made, agent, more)));
  expect((await applyInstall(made.env, plan)).ok).toBe(true);
  return plan;
}

/** Every file below a folder, by its path. */
function filesIn(root: string): Record<string, string> {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    lstatSync(join(root, path)).isFile(),
  );
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** Whether everything that one value says is said by the other, too. */
function holds(more: unknown, less: unknown): boolean {
  if (Array.isArray(less)) return Array.isArray(more) && less.every((item, at) => holds(more[at], item));
  if (typeof less !== 'object' || less === null) return more === less;
  return Object.entries(less).every(([key, member]) =>
    holds((more as Record<string, unknown>)?.[key], member),
  );
}

const json = (root: string, path: string) => parse(readFileSync(join(root, path), 'utf8')) as JsonObject;
const write = (root: string, path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const skillsIn = (folder: string) =>
  ['author-pipeline', 'diagnose-run', 'resume-run'].map((name) => `${folder}/${name}/SKILL.md`);
const command = (agent: string, timeout: number) => ({
  type: 'command',
  command: `pawl hook ${agent}`,
  timeout,
});

describe('a fresh installation', () => {
  it('of claude', async () => {
    const made = world();
    await install(made, 'claude');
    expect(Object.keys(filesIn(made.root))).toEqual(
      ['.claude/settings.json', '.mcp.json', ...skillsIn('.claude/skills')].sort(),
    );
    const group = (timeout: number) => [{ hooks: [command('claude', timeout)] }];
    expect(json(made.root, '.claude/settings.json')).toEqual({
      hooks: {
        SessionStart: group(10),
        PreCompact: group(10),
        PreToolUse: [{ matcher: 'Write|Edit|MultiEdit|NotebookEdit', hooks: [command('claude', 5)] }],
        UserPromptSubmit: group(5),
        Stop: group(5),
        SubagentStop: group(5),
        SessionEnd: group(3),
      },
      statusLine: { type: 'command', command: 'pawl statusline' },
    });
    expect(json(made.root, '.mcp.json')).toEqual({
      mcpServers: { pawl: { command: 'pawl', args: ['mcp'] } },
    });
  });

  it('of codex', async () => {
    const made = world();
    const plan = await install(made, 'codex');
    expect(Object.keys(filesIn(made.root))).toEqual(
      [...skillsIn('.agents/skills'), '.codex/config.toml', '.codex/hooks.json'].sort(),
    );
    const { hooks, ...rest } = json(made.root, '.codex/hooks.json');
    // Codex refuses a file that says anything else at its top.
    expect(rest).toEqual({});
    expect(Object.keys(hooks as JsonObject)).toEqual([
      'SessionStart',
      'PreCompact',
      'PreToolUse',
      'UserPromptSubmit',
      'Stop',
      'SubagentStop',
      'SessionEnd',
    ]);
    expect(hooks).toMatchObject({
      PreToolUse: [{ matcher: 'apply_patch|Edit|Write', hooks: [command('codex', 5)] }],
      SessionEnd: [{ hooks: [command('codex', 3)] }],
    });
    expect(filesIn(made.root)['.codex/config.toml']).toContain(
      '[mcp_servers.pawl]\ncommand = "pawl"\nargs = ["mcp"]\n',
    );
    expect(plan.notes).toEqual([{ note: 'trust-hooks', agent: 'codex', where: '/hooks' }]);
  });

  it('of cursor', async () => {
    const made = world();
    await install(made, 'cursor');
    const { version, hooks } = json(made.root, '.cursor/hooks.json');
    expect(version).toBe(1);
    expect(hooks).toMatchObject({
      sessionStart: [{ command: 'pawl hook cursor', timeout: 10 }],
      preCompact: [{ command: 'pawl hook cursor', timeout: 10 }],
      stop: [{ command: 'pawl hook cursor', timeout: 5 }],
    });
    expect(json(made.root, '.cursor/mcp.json')).toEqual({
      mcpServers: { pawl: { command: 'pawl', args: ['mcp', '$' + '{workspaceFolder}'] } },
    });
    expect(existsSync(join(made.root, '.agents/skills/resume-run/SKILL.md'))).toBe(true);
  });

  it('of gemini', async () => {
    const made = world();
    await install(made, 'gemini');
    const entry = (timeout: number) => ({ name: 'pawl', ...command('gemini', timeout) });
    expect(json(made.root, '.gemini/settings.json')).toEqual({
      hooks: {
        SessionStart: [{ hooks: [entry(10_000)] }],
        PreCompress: [{ matcher: 'manual', hooks: [entry(10_000)] }],
        AfterTool: [{ matcher: 'write_file|replace', hooks: [entry(5000)] }],
        BeforeAgent: [{ hooks: [entry(5000)] }],
        AfterAgent: [{ hooks: [entry(5000)] }],
        SessionEnd: [{ hooks: [entry(3000)] }],
      },
      mcpServers: { pawl: { command: 'pawl', args: ['mcp'] } },
    });
  });

  it('of copilot', async () => {
    const made = world();
    await install(made, 'copilot');
    const { version, hooks } = json(made.root, '.github/hooks/pawl.json');
    expect(version).toBe(1);
    // Before a tool a hook that fails would forbid the tool.
    expect(Object.keys(hooks as JsonObject)).toEqual([
      'SessionStart',
      'PreCompact',
      'PostToolUse',
      'Stop',
      'SubagentStop',
      'SessionEnd',
    ]);
    expect(hooks).toMatchObject({ SessionStart: [command('copilot', 10)] });
    expect(json(made.root, '.github/mcp.json')).toEqual({
      mcpServers: { pawl: { type: 'local', command: 'pawl', args: ['mcp'], tools: ['*'] } },
    });
    expect(json(made.root, '.vscode/mcp.json')).toEqual({
      servers: { pawl: { type: 'stdio', command: 'pawl', args: ['mcp', '$' + '{workspaceFolder}'] } },
    });
  });

  it('of opencode', async () => {
    const made = world();
    await install(made, 'opencode');
    expect(json(made.root, 'opencode.json')).toEqual({
      $schema: 'https://opencode.ai/config.json',
      mcp: { pawl: { type: 'local', command: ['pawl', 'mcp'] } },
    });
    expect(filesIn(made.root)['.opencode/plugins/pawl.js']).toContain('const command = ["pawl"];');
  });

  it.each(agentNames)(
    'of %s for the user writes nothing into the project, and nothing that others can read',
    async (agent) => {
      const made = world();
      await install(made, agent, { scope: 'user' });
      expect(filesIn(made.root)).toEqual({});
      const paths = Object.keys(filesIn(made.home));
      expect(paths.length).toBeGreaterThan(3);
      for (const path of paths) expect(statSync(join(made.home, path)).mode & 0o777).toBe(0o600);
      await uninstall(made, agent, { scope: 'user' });
      expect(readdirSync(made.home).filter((name) => name !== '.config')).toEqual([]);
    },
  );

  it('for a user goes where the user has said', async () => {
    const made = world();
    const elsewhere = tempFolder();
    const variables = { CODEX_HOME: `${elsewhere}/codex`, XDG_CONFIG_HOME: `${elsewhere}/config` };
    await install(made, 'codex', { scope: 'user', variables });
    await install(made, 'opencode', { scope: 'user', variables });
    expect(readdirSync(elsewhere)).toEqual(['codex', 'config']);
    expect(readdirSync(join(elsewhere, 'config/opencode')).sort()).toEqual(['opencode.json', 'plugins']);
    await uninstall(made, 'codex', { scope: 'user', variables });
    await uninstall(made, 'opencode', { scope: 'user', variables });
    expect(readdirSync(elsewhere)).toEqual(['config']);
  });

  it('tells what has to be done by hand', () => {
    const made = world();
    expect(value(planInstall(made.env, asked(made, 'claude', { scope: 'user' }))).notes).toEqual([
      {
        note: 'server-by-command',
        command: ['claude', 'mcp', 'add', '--scope', 'user', 'pawl', '--', 'pawl', 'mcp'],
      },
    ]);
    expect(value(planInstall(made.env, asked(made, 'cursor', { scope: 'user' }))).notes).toEqual([
      { note: 'server-per-project', agent: 'cursor' },
    ]);
    expect(planInstall(made.env, asked(made, 'claude', { scope: 'user', home: undefined }))).toEqual({
      ok: false,
      failure: { reason: 'no-home' },
    });
  });

  it('makes files of a project as any editor would', async () => {
    const made = world();
    await install(made, 'claude');
    const mode = 0o666 & ~process.umask();
    expect(statSync(join(made.root, '.claude/settings.json')).mode & 0o777).toBe(mode);
    expect(statSync(join(made.root, '.claude')).mode & 0o777).toBe(0o777 & ~process.umask());
  });
});

/** What people have in these files already. */
const existing: Readonly<Record<AgentName, Readonly<Record<string, string>>>> = {
  claude: {
    '.claude/settings.json': `{
  // our own rules
  "permissions": { "allow": ["Bash(npm test:*)"], "deny": [] },
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [{ "type": "command", "command": "./guard.sh", "timeout": 5 }] // keep
      }
    ],
    "Stop": [{ "hooks": [{ "type": "command", "command": "notify 'pawl hook claude'" }] }]
  },
  "env": { "A": "b" }
}
`,
    '.mcp.json': '{\n\t"mcpServers": {\n\t\t"other": { "command": "other", "args": ["pawl", "mcp"] }\n\t}\n}',
    '.claude/skills/mine/SKILL.md': '---\nname: mine\n---\n',
  },
  codex: {
    '.codex/hooks.json': '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}\n',
    '.codex/config.toml': '# mine\r\nmodel = "o9"\r\n\r\n[mcp_servers.other]\r\ncommand = "x"\r\n',
    'AGENTS.md': '# Rules\n',
  },
  cursor: {
    '.cursor/hooks.json': `{
    "version": 1,
    "hooks": {
        "stop": [
            { "command": "./audit.sh" },
        ],
    },
}
`,
    '.cursor/mcp.json': '{ "mcpServers": { "a": { "url": "https://example.org" } } }\n',
  },
  gemini: {
    '.gemini/settings.json':
      '{\n  /* theme */ "theme": "x",\n  "hooks": {\n    "BeforeTool": [],\n    "SessionStart": [{ "matcher": "startup", "hooks": [{ "type": "command", "command": "a.sh" }] }]\n  }\n}\n',
  },
  copilot: {
    '.github/hooks/other.json': '{ "version": 1, "hooks": {} }\n',
    '.vscode/mcp.json': '{\n  "inputs": [],\n  "servers": {\n    // none\n  }\n}\n',
    '.github/workflows/ci.yml': 'on: push\n',
  },
  opencode: {
    'opencode.jsonc':
      '{\n  // mine\n  "model": "a/b",\n  "mcp": { "servers": { "x": { "type": "local", "command": ["x"] } } }\n}\n',
    '.opencode/plugins/other.js': 'export const Other = async () => ({});\n',
  },
};

describe.each(agentNames)('%s, where others have settings', (agent) => {
  it('gets its entries beside theirs, which stay as they are', async () => {
    const made = world(existing[agent]);
    const plan = await install(made, agent);
    expect(plan.changes.length).toBeGreaterThan(0);
    for (const [path, before] of Object.entries(existing[agent])) {
      const after = readFileSync(join(made.root, path), 'utf8');
      // Taking out what was put in between leaves every byte of theirs, in order.
      let at = 0;
      for (const letter of after) if (letter === before[at]) at++;
      expect(at).toBe(before.length);
      if (/\.jsonc?$/.test(path)) expect(holds(parse(after), parse(before))).toBe(true);
    }
    expect(existsSync(join(made.root, 'AGENTS.md'))).toBe(agent === 'codex');
  });

  it('is changed by nothing when it is installed again', async () => {
    const made = world(existing[agent]);
    await install(made, agent);
    expect(value(planInstall(made.env, asked(made, agent))).changes).toEqual([]);
    const [state] = agentStates(made.env, asked(made, agent)).filter(
      (one) => one.agent === agent && one.scope === 'project',
    );
    expect(state).toEqual({ agent, scope: 'project', isInstalled: true, outdated: [], trouble: undefined });
  });

  it('goes without a trace, and with its memory without any', async () => {
    const bare = world(existing[agent]);
    await install(bare, agent);
    await uninstall(bare, agent);
    // Nobody can tell any more that `BeforeTool` was empty before, but nothing was put there.
    expect(filesIn(bare.root)).toEqual(existing[agent]);
    const made = remembering(world(existing[agent]));
    await install(made, agent);
    await uninstall(made, agent);
    expect(filesIn(made.root)).toEqual(existing[agent]);
    expect(agentStates(made.env, asked(made, agent)).some(({ isInstalled }) => isInstalled)).toBe(false);
    expect(value(planUninstall(made.env, asked(made, agent))).changes).toEqual([]);
  });

  it('leaves nothing where there was nothing', async () => {
    const made = world({ 'README.md': 'x' });
    await install(made, agent);
    await uninstall(made, agent);
    expect(readdirSync(made.root)).toEqual(['README.md']);
  });

  it('is planned without a byte being written', () => {
    const made = remembering(world(existing[agent]));
    const plan = value(planInstall(made.env, asked(made, agent)));
    expect(filesIn(made.root)).toEqual(existing[agent]);
    expect(readdirSync(made.env.stateFolder ?? '')).toEqual([]);
    for (const { before, after, diff } of plan.changes) {
      expect(before).not.toBe(after);
      expect(diff.some(({ kind }) => kind === 'added')).toBe(true);
    }
  });

  it('is not touched where a file cannot be understood', async () => {
    for (const [path, text] of Object.entries(existing[agent])) {
      if (!/(settings|hooks|mcp)\.json$|opencode\.jsonc$|\.toml$/.test(path)) continue;
      const made = world({ ...existing[agent], [path]: `${text}\n"` });
      const before = filesIn(made.root);
      for (const plan of [planInstall, planUninstall])
        expect(plan(made.env, asked(made, agent))).toMatchObject({
          ok: false,
          failure: { reason: 'settings-unreadable', place: { path: join(made.root, path) } },
        });
      expect(filesIn(made.root)).toEqual(before);
      expect(
        agentStates(made.env, asked(made, agent)).find((state) => state.agent === agent)?.trouble?.reason,
      ).toBe('settings-unreadable');
    }
  });
});

describe('an entry that a person has changed', () => {
  it('is still ours: kept when installed again, and taken out', async () => {
    const made = world();
    await install(made, 'claude');
    const path = '.claude/settings.json';
    const changed = readFileSync(join(made.root, path), 'utf8')
      .replace('"timeout": 10', '"timeout": 99')
      .replace('"pawl hook claude"', '"PAWL_ACTOR=me pawl hook claude --quiet"');
    write(made.root, path, changed);
    expect(value(planInstall(made.env, asked(made, 'claude'))).changes).toEqual([]);
    await uninstall(made, 'claude');
    expect(readdirSync(made.root)).toEqual([]);
  });

  it('shares its group with another one, which stays', async () => {
    const made = world();
    await install(made, 'claude');
    const path = '.claude/settings.json';
    const settings = json(made.root, path) as { hooks: { Stop: [{ hooks: unknown[] }] } };
    settings.hooks.Stop[0].hooks.push({ type: 'command', command: 'mine.sh' });
    write(made.root, path, JSON.stringify(settings, null, 2));
    await uninstall(made, 'claude');
    expect(json(made.root, path)).toEqual({
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'mine.sh' }] }] },
    });
  });

  it('is taken out where it was put at another event by an earlier version', async () => {
    const made = world({
      '.claude/settings.json':
        '{"hooks": {"Notification": [{"hooks": [{"type": "command", "command": "npx pawl hook claude"}]}]}}',
    });
    await uninstall(made, 'claude');
    expect(filesIn(made.root)).toEqual({});
  });

  it('of codex keeps what was added to its table', async () => {
    const made = world();
    await install(made, 'codex', { command: ['npx', '-y', 'pawl'] });
    const path = '.codex/config.toml';
    const text = readFileSync(join(made.root, path), 'utf8');
    write(made.root, path, text.replace('# pawl: end', 'startup_timeout_sec = 30\n# pawl: end'));
    expect(value(planInstall(made.env, asked(made, 'codex'))).changes.map(({ path }) => path)).toEqual([
      join(made.root, '.codex/hooks.json'),
    ]);
    await uninstall(made, 'codex');
    expect(existsSync(join(made.root, path))).toBe(false);
  });

  it('of opencode is known in either form of its settings', async () => {
    const made = world({
      'opencode.json': '{"mcp": {"servers": {"pawl": {"type": "local", "command": ["npx", "pawl", "mcp"]}}}}',
    });
    expect(
      value(planInstall(made.env, asked(made, 'opencode', { command: undefined }))).changes.some(({ path }) =>
        path.endsWith('.json'),
      ),
    ).toBe(false);
  });
});

describe('what is somebody else’s', () => {
  it('is a status line, here or in other settings that count', () => {
    const line = '{"statusLine": {"type": "command", "command": "mine.sh"}}';
    for (const made of [
      world({ '.claude/settings.json': line }),
      world({ '.claude/settings.local.json': line }),
      world({}, { '.claude/settings.json': line }),
    ]) {
      const plan = value(planInstall(made.env, asked(made, 'claude')));
      const path = Object.keys({ ...filesIn(made.root), ...filesIn(made.home) })[0] ?? '';
      expect(plan.notes).toEqual([{ note: 'status-line-taken', path: expect.stringContaining(path) }]);
      const settings = plan.changes.find((change) => change.path.endsWith('/.claude/settings.json'));
      expect(settings?.after).not.toContain('pawl statusline');
      expect(settings?.after).toContain('pawl hook claude');
    }
  });

  it('is a server that is only called the same', () => {
    const taken = world({
      '.mcp.json': '{"mcpServers": {"pawl": {"command": "paws-and-claws"}}}',
      '.codex/config.toml': '[mcp_servers]\npawl = { command = "paws" }\n',
    });
    expect(value(planInstall(taken.env, asked(taken, 'claude'))).notes).toEqual([
      { note: 'server-name-taken', path: join(taken.root, '.mcp.json') },
    ]);
    expect(value(planInstall(taken.env, asked(taken, 'codex'))).notes).toContainEqual({
      note: 'server-name-taken',
      path: join(taken.root, '.codex/config.toml'),
    });
    expect(value(planUninstall(taken.env, asked(taken, 'codex'))).changes).toEqual([]);
  });

  it('is a skill or a plugin without our mark', () => {
    const made = world({
      '.agents/skills/resume-run/SKILL.md': '---\nname: resume-run\n---\npackage: pawl\n',
      '.opencode/plugins/pawl.js': '// my own\n',
    });
    const plan = value(planInstall(made.env, asked(made, 'opencode')));
    expect(plan.notes.map(({ note }) => note)).toEqual(['file-taken', 'file-taken']);
    expect(plan.changes.map(({ path }) => path)).not.toContain(join(made.root, '.opencode/plugins/pawl.js'));
    expect(value(planUninstall(made.env, asked(made, 'opencode'))).changes).toEqual([]);
  });
});

describe('an installation', () => {
  it('is started in another way when that is better now', async () => {
    const made = world();
    await install(made, 'claude', { command: undefined });
    expect(filesIn(made.root)['.mcp.json']).toContain('/bin/pawl.js"');
    write(made.root, 'node_modules/pawl/bin/pawl.js', '');
    const plan = await install(made, 'claude', { command: undefined });
    expect(plan.changes.map(({ path }) => path)).toEqual([
      join(made.root, '.claude/settings.json'),
      join(made.root, '.mcp.json'),
    ]);
    const settings = filesIn(made.root)['.claude/settings.json'];
    expect(settings).toContain('node \\"$CLAUDE_PROJECT_DIR\\"/node_modules/pawl/bin/pawl.js hook claude');
    expect(settings).not.toContain('npx');
    expect(json(made.root, '.mcp.json')).toEqual({
      mcpServers: { pawl: { command: 'npx', args: ['--no-install', 'pawl', 'mcp'] } },
    });
    await uninstall(made, 'claude', { command: undefined });
    expect(Object.keys(filesIn(made.root))).toEqual(['node_modules/pawl/bin/pawl.js']);
  });

  it('finds the command on the path, but not the one that npx has put there for this call', () => {
    const made = world();
    const bin = tempFolder({ pawl: '', 'node_modules/.bin/pawl': '' });
    const started = (path: string) =>
      value(
        planInstall(made.env, asked(made, 'claude', { command: undefined, variables: { PATH: path } })),
      ).changes.find(({ path }) => path.endsWith('.mcp.json'))?.after;
    expect(started(`/nowhere:${bin}/node_modules/.bin`)).toContain('/bin/pawl.js"');
    expect(started(`/nowhere:${bin}`)).toContain('"pawl"');
  });

  it('is brought up to date by a later version', async () => {
    const made = world();
    await install(made, 'opencode');
    const plugin = join(made.root, '.opencode/plugins/pawl.js');
    writeFileSync(plugin, readFileSync(plugin, 'utf8').replace('10_000', '1'));
    expect(
      agentStates(made.env, asked(made, 'opencode')).find(({ agent }) => agent === 'opencode')?.outdated,
    ).toEqual([plugin]);
    const text = readFileSync(join(made.root, '.agents/skills/resume-run/SKILL.md'), 'utf8');
    write(made.root, '.agents/skills/resume-run/SKILL.md', text.replaceAll('\n', '\r\n'));
    expect((await install(made, 'opencode')).changes.map(({ path }) => path)).toEqual([plugin]);
  });

  it('is known by the command that was told for it', async () => {
    const made = world();
    const told = { command: ['./tools/my pawl.sh'] };
    await install(made, 'claude', told);
    expect(filesIn(made.root)['.claude/settings.json']).toContain(`'./tools/my pawl.sh' hook claude`);
    expect(value(planInstall(made.env, asked(made, 'claude', told))).changes).toEqual([]);
    await uninstall(made, 'claude', told);
    expect(filesIn(made.root)).toEqual({});
  });

  it('keeps the skills that another agent uses, too', async () => {
    const made = world();
    await install(made, 'codex');
    await install(made, 'gemini');
    const plan = await uninstall(made, 'codex');
    expect(plan.notes).toEqual(
      skillsIn('.agents/skills').map((path) => ({
        note: 'shared',
        path: join(made.root, path),
        agents: ['gemini'],
      })),
    );
    expect(Object.keys(filesIn(made.root))).toEqual([...skillsIn('.agents/skills'), '.gemini/settings.json']);
    await uninstall(made, 'gemini');
    expect(filesIn(made.root)).toEqual({});
  });

  it('says that an agent runs the hooks of claude, too', async () => {
    const made = world();
    await install(made, 'claude');
    expect(value(planInstall(made.env, asked(made, 'copilot'))).notes).toEqual([
      { note: 'claude-hooks-run-too', agent: 'copilot', path: join(made.root, '.claude/settings.json') },
    ]);
  });

  it('keeps a byte order mark, and the mode of a file', async () => {
    const made = world({ '.claude/settings.json': '\uFEFF{\n  "a": 1\n}' });
    const path = join(made.root, '.claude/settings.json');
    chmodSync(path, 0o640);
    await install(made, 'claude');
    expect(readFileSync(path, 'utf8')).toMatch(/^\uFEFF\{\n {2}"a": 1,\n/);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    await uninstall(made, 'claude');
    expect(readFileSync(path, 'utf8')).toBe('\uFEFF{\n  "a": 1\n}');
  });
});

describe('a link', () => {
  it('is written through, and stays', async () => {
    const made = world();
    const target = join(tempFolder({ 'settings.json': '{ "a": 1 }\n' }), 'settings.json');
    mkdirSync(join(made.root, '.claude'));
    symlinkSync(target, join(made.root, '.claude/settings.json'));
    await install(made, 'claude');
    expect(lstatSync(join(made.root, '.claude/settings.json')).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toContain('pawl hook claude');
    await uninstall(made, 'claude');
    expect(readFileSync(target, 'utf8')).toBe('{ "a": 1 }\n');
    expect(lstatSync(join(made.root, '.claude/settings.json')).isSymbolicLink()).toBe(true);
  });

  it('stays where nothing is left of what it leads to', async () => {
    const made = world();
    const elsewhere = tempFolder({ 'settings.json': '{}', 'skills/x': '' });
    mkdirSync(join(made.root, '.claude'));
    symlinkSync(join(elsewhere, 'settings.json'), join(made.root, '.claude/settings.json'));
    mkdirSync(join(elsewhere, 'shared'));
    symlinkSync(join(elsewhere, 'shared'), join(made.root, '.claude/skills'));
    await install(made, 'claude');
    expect(readdirSync(join(elsewhere, 'shared'))).toHaveLength(3);
    await uninstall(made, 'claude');
    expect(readdirSync(join(made.root, '.claude')).sort()).toEqual(['settings.json', 'skills']);
    expect(readFileSync(join(made.root, '.claude/settings.json'), 'utf8')).toBe('{}\n');
    expect(readdirSync(join(elsewhere, 'shared'))).toEqual([]);
    expect(value(planInstall(made.env, asked(made, 'claude'))).changes.length).toBeGreaterThan(0);
  });

  it('that leads nowhere is refused, and so is what is no file', () => {
    const made = world({ '.mcp.json/x': '' });
    expect(planInstall(made.env, asked(made, 'claude'))).toEqual({
      ok: false,
      failure: { reason: 'not-a-file', path: join(made.root, '.mcp.json') },
    });
    mkdirSync(join(made.root, '.codex'));
    symlinkSync('/nowhere/at/all', join(made.root, '.codex/hooks.json'));
    expect(planInstall(made.env, asked(made, 'codex'))).toEqual({
      ok: false,
      failure: { reason: 'link-leads-nowhere', path: join(made.root, '.codex/hooks.json') },
    });
  });
});

describe('a plan', () => {
  it('is refused when a file has changed since, before anything is written', async () => {
    const made = world(existing.claude);
    const plan = value(planInstall(made.env, asked(made, 'claude')));
    write(made.root, '.mcp.json', '{}');
    const before = filesIn(made.root);
    expect(await applyInstall(made.env, plan)).toEqual({
      ok: false,
      failure: { reason: 'changed-since-shown', path: join(made.root, '.mcp.json') },
    });
    expect(filesIn(made.root)).toEqual(before);
  });

  it('tells what was written before the disk failed', async () => {
    const made = world();
    const plan = value(planInstall(made.env, asked(made, 'claude')));
    // A file stands where a folder is needed.
    write(made.root, '.claude/skills', '');
    expect(await applyInstall(made.env, plan)).toMatchObject({
      ok: false,
      failure: {
        reason: 'disk-failed',
        written: [join(made.root, '.claude/settings.json'), join(made.root, '.mcp.json')],
      },
    });
    expect(readdirSync(join(made.root, '.claude')).some((name) => name.startsWith('.pawl-'))).toBe(false);
  });

  it('refuses what is too large, or no text', () => {
    const made = world({ '.mcp.json': ' '.repeat(3_000_000) });
    expect(planInstall(made.env, asked(made, 'claude'))).toMatchObject({
      failure: { reason: 'settings-too-large' },
    });
    writeFileSync(join(made.root, '.mcp.json'), Buffer.from([0x7b, 0xff, 0x7d]));
    expect(planInstall(made.env, asked(made, 'claude'))).toMatchObject({
      failure: { reason: 'settings-unreadable', problem: 'not-utf-8' },
    });
  });
});
