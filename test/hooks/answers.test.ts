import { spawn } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { afterFile } from '../support/after-file.ts';
import { pawl, pawlJson } from '../support/command.ts';
import {
  projectRoot,
  read,
  type TestWorkspace,
  withEnv,
  workspaceWith,
  write,
} from '../support/workspace.ts';
import { ClaudeSession, hook } from './hook-calls.ts';

const manifest = `
pawl: 1
pipeline: pages
units: [a, b]
phases:
  write:
    run: { task: writer }
    outputs: { page: "pages/{unit}.md" }
`;

describe('a compaction of Gemini', () => {
  it('counts only when a person has asked for it', async () => {
    const workspace = workspaceWith(manifest);
    await pawl(workspace, 'run');
    const base = { session_id: 's1', cwd: workspace.root };
    const compress = (trigger: string) =>
      hook(workspace, 'gemini', { ...base, hook_event_name: 'PreCompress', trigger });
    const wrote = async () => {
      const tool = { tool_name: 'write_file', tool_input: { file_path: 'notes.md', content: 'x' } };
      return (await hook(workspace, 'gemini', { ...base, hook_event_name: 'AfterTool', ...tool })).stdout;
    };
    await compress('auto');
    expect(await wrote()).toBe('');
    expect((await pawl(workspace, 'brief')).stdout).not.toContain('CX-');
    await compress('manual');
    expect(await wrote()).toContain('The context was compacted (CX-001, manual');
    expect((await pawl(workspace, 'brief')).stdout).toContain('CX-001');
  });
});

describe('the command that an agent is given', () => {
  const program = join(projectRoot, 'bin/pawl.js');
  const folderOnPath = 'tools';

  it('starts this program by its path where pawl is not installed, and never asks a registry', async () => {
    const workspace = workspaceWith(manifest);
    await pawl(workspace, 'run');
    const installed = await pawl(workspace, 'agents', 'install', 'claude', '--yes');
    expect(installed.stdout).toContain(`node ${program}`);
    expect(installed.stdout).toContain('npm install pawl');
    await pawl(workspace, 'agents', 'install', 'claude', '--plugin', 'plug', '--yes');
    for (const path of ['.claude/settings.json', '.mcp.json', 'plug/hooks/hooks.json', 'plug/.mcp.json']) {
      expect(read(workspace, path), path).toContain(program);
      expect(read(workspace, path), path).not.toContain('npx');
    }
    const payload = { hook_event_name: 'SessionStart', session_id: 's1', cwd: workspace.root };
    const { stdout } = await hook(workspace, 'claude', payload);
    expect(stdout).toContain(`\`node ${program} brief\` shows the whole document`);
    expect(stdout).toContain(`Where it says \`pawl\`, type \`node ${program}\`.`);
  });

  it('is pawl where that is on the PATH, in settings, plugin and words', async () => {
    const bare = workspaceWith(manifest);
    write(bare, `${folderOnPath}/pawl`, '#!/bin/sh\n');
    chmodSync(join(bare.root, folderOnPath, 'pawl'), 0o755);
    const workspace = withEnv(bare, { PATH: `${join(bare.root, folderOnPath)}:${bare.env.PATH}` });
    await pawl(workspace, 'run');
    await pawl(workspace, 'agents', 'install', 'claude', '--yes');
    await pawl(workspace, 'agents', 'install', 'claude', '--plugin', 'plug', '--yes');
    for (const path of ['.mcp.json', 'plug/.mcp.json'])
      expect(JSON.parse(read(workspace, path)).mcpServers.pawl, path).toEqual({
        command: 'pawl',
        args: ['mcp'],
      });
    for (const path of ['.claude/settings.json', 'plug/hooks/hooks.json'])
      expect(read(workspace, path), path).toContain('"pawl hook claude"');
    const payload = { hook_event_name: 'SessionStart', session_id: 's1', cwd: workspace.root };
    const { stdout } = await hook(workspace, 'claude', payload);
    expect(stdout).toContain('`pawl brief` shows the whole document');
    expect(stdout).not.toContain('npx');
  });
});

const team = `
pawl: 1
pipeline: team
units:
  - { id: a }
  - { id: b }
  - { id: c, needs: [a] }
phases:
  write:
    run: { task: writer }
    outputs: { page: "pages/{unit}.md" }
`;

/** The last phase does not take the page itself. */
const chained = `
pawl: 1
pipeline: chained
channels: [terminal, script]
units: [a]
phases:
  write:
    run: { task: writer }
    outputs: { page: "pages/{unit}.md" }
    checkpoint: Page approval
  index:
    needs: [write]
    run: { task: writer }
    outputs: { entry: "index/{unit}.md" }
  close:
    needs: [index]
    run: { task: writer }
    inputs: { entry: index.entry }
    outputs: { note: "notes/{unit}.md" }
`;

async function done(workspace: TestWorkspace, unit: string, path = `pages/${unit}.md`): Promise<void> {
  expect((await pawl(workspace, 'start', unit, '--actor', 'ann')).code).toBe(0);
  write(workspace, path, unit);
  expect((await pawl(workspace, 'complete', unit, '--actor', 'ann')).code).toBe(0);
}

describe('a unit that waits for an approval', () => {
  it('is done nowhere before it is approved', async () => {
    const workspace = workspaceWith(`${manifest}    checkpoint: Page approval\n`);
    await pawl(workspace, 'run');
    await done(workspace, 'a');
    const session = new ClaudeSession(workspace, 's1');
    expect(await session.statusLine(10)).toMatch(/^run 0\/2 /);
    await pawl(workspace, 'run');
    expect((await pawl(workspace, 'status')).stdout).toContain('0 of 2');
    expect(await session.statusLine(10)).toMatch(/^run 0\/2 /);
    expect((await pawl(workspace, 'brief', '--digest')).stdout).toContain('0 of 2 units done');
  });
});

interface Handed {
  readonly task: { readonly unit: string } | null;
  readonly notices: readonly { readonly code: string }[];
}

describe('an edit of a finished output', () => {
  it('holds up what depends on it, and nothing else', async () => {
    const workspace = workspaceWith(team);
    await pawl(workspace, 'run');
    await done(workspace, 'a');
    write(workspace, 'pages/a.md', 'edited');
    const handed = await pawlJson<Handed>(workspace, 'next', '--actor', 'bob');
    expect(handed).toMatchObject({ task: { unit: 'b' }, notices: [{ code: 'edit-holds' }] });
    expect((await pawl(workspace, 'start', 'c', '--actor', 'cai')).code).toBe(4);
    const none = await pawl(workspace, 'next', '--actor', 'cai');
    expect(none.stdout + none.stderr).toContain('pages/a.md, an output of a/write, was edited');
    write(workspace, 'pages/b.md', 'b');
    expect((await pawl(workspace, 'complete', 'b', '--actor', 'bob')).code).toBe(0);
    // Nothing is left but what depends on it.
    expect(await pawlJson(workspace, 'next', '--actor', 'cai')).toMatchObject({
      exitCode: 4,
      reason: 'refused',
    });
    write(workspace, 'pages/a.md', 'a');
    expect(await pawlJson<Handed>(workspace, 'next', '--actor', 'cai')).toMatchObject({
      task: { unit: 'c' },
    });
  });

  it('holds up later phases before an approval is answered, and after', async () => {
    const workspace = workspaceWith(chained);
    await pawl(workspace, 'run');
    await done(workspace, 'a');
    const starts = async () => (await pawl(workspace, 'start', 'a', '--actor', 'bob')).code;
    const edited = { exitCode: 4, reason: 'refused' };
    const next = () => pawlJson(workspace, 'next', '--actor', 'bob');
    expect(await starts()).toBe(4);
    write(workspace, 'pages/a.md', 'edited');
    expect(await starts()).toBe(4);
    expect(await next()).toMatchObject(edited);
    write(workspace, 'pages/a.md', 'a');
    expect((await pawl(workspace, 'run')).code).toBe(3);
    write(workspace, 'pages/a.md', 'edited');
    expect(await starts()).toBe(4);
    write(workspace, 'pages/a.md', 'a');
    expect((await pawl(workspace, 'approve', 'C1')).code).toBe(0);
    write(workspace, 'pages/a.md', 'edited');
    expect(await starts()).toBe(4);
    expect(await next()).toMatchObject(edited);
    write(workspace, 'pages/a.md', 'a');
    await done(workspace, 'a', 'index/a.md');
    write(workspace, 'pages/a.md', 'edited');
    // What is last takes the edit through a phase that is finished.
    expect(await starts()).toBe(4);
    expect(await next()).toMatchObject(edited);
    write(workspace, 'pages/a.md', 'a');
    expect(await starts()).toBe(0);
  });

  it('is warned of before it is made, and what an agent is meant to write is not', async () => {
    const workspace = workspaceWith(team);
    await pawl(workspace, 'run');
    await done(workspace, 'a');
    const session = new ClaudeSession(workspace, 's1');
    const writes = (file: string) =>
      session.tell('PreToolUse', {
        tool_name: 'Write',
        tool_input: { file_path: join(workspace.root, file), content: 'x' },
      });
    expect(await writes('pages/a.md')).toContain('a recorded output of `a/write`, which is finished');
    const { task } = await pawlJson<{ task: { folder: string } }>(workspace, 'next', '--actor', 'bob');
    write(workspace, 'pages/b.md', 'half');
    for (const path of ['pages/b.md', 'pages/new.md', 'notes.md', `${task.folder}/scratch.md`])
      expect(await writes(path), path).toBe('');
    expect(await writes('.pawl/brief')).toContain("one of Pawl's own files");
  });

  it('of the attempt that Pawl runs the agent for is no damage', async () => {
    const workspace = workspaceWith(team);
    await pawl(workspace, 'run');
    const { run } = (await pawlJson<{ heading: { run: string } }>(workspace, 'status')).heading;
    const folder = `.pawl/runs/${run}/attempts/a/write/1`;
    write(workspace, `${folder}/outputs/other`, '');
    const attempt = withEnv(workspace, { PAWL_REVISE: join(workspace.root, folder, 'revise.json') });
    const session = new ClaudeSession(attempt, 's1');
    const writes = (file: string) =>
      session.tell('PreToolUse', {
        tool_name: 'Write',
        tool_input: { file_path: join(workspace.root, file), content: 'x' },
      });
    expect(await writes(`${folder}/outputs/page`)).toBe('');
    expect(await writes(`${folder}/revise.json`)).toBe('');
    expect(await writes(`${folder}/task.json`)).toContain("one of Pawl's own files");
  });
});

describe('an agent that keeps its end of the pipe open', () => {
  const payload = (workspace: TestWorkspace) =>
    JSON.stringify({ hook_event_name: 'SessionStart', session_id: 's1', cwd: workspace.root });

  /** What comes of a call whose stdin is written to and never closed. */
  function unclosed(
    workspace: TestWorkspace,
    args: string[],
    input: string,
  ): Promise<[number | null, string]> {
    const child = spawn(process.execPath, [join(projectRoot, 'bin/pawl.js'), ...args], {
      cwd: workspace.root,
      env: { ...workspace.env },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    afterFile(() => child.kill('SIGKILL'));
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stdin.on('error', () => undefined);
    child.stdin.write(input);
    return new Promise((resolve) => child.on('close', (code) => resolve([code, stdout])));
  }

  it('is answered when one whole document is there, and left alone when none comes', async () => {
    const workspace = workspaceWith(manifest);
    await pawl(workspace, 'run');
    const [code, told] = await unclosed(workspace, ['hook', 'claude'], payload(workspace));
    expect(code).toBe(0);
    expect(told).toContain('pawl next --actor NAME');
    const context = { session_id: 's1', context_window: { used_percentage: 40 } };
    expect(await unclosed(workspace, ['statusline'], `${JSON.stringify(context)}\n`)).toEqual([
      0,
      'run 0/2 · ctx 40% · FRESH\n',
    ]);
    const half = payload(workspace).slice(0, -20);
    expect(await unclosed(workspace, ['hook', 'claude'], half)).toEqual([0, '']);
    expect(await unclosed(workspace, ['statusline'], '')).toEqual([0, '']);
  });
});
