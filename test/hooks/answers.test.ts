import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pawl } from '../support/command.ts';
import { projectRoot, read, withEnv, workspaceWith, write } from '../support/workspace.ts';
import { hook } from './hook-calls.ts';

const manifest = `
pawl: 1
pipeline: pages
units: [a, b]
phases:
  write:
    run: { agent: writer }
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
