import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { realEnvironment } from '../../../test/fixtures/real.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { applyInstall } from './apply.ts';
import { planPlugin } from './plugin.ts';

describe('a plugin folder for claude', () => {
  it('has all that can be installed, and is brought up to date', async () => {
    const cwd = tempFolder();
    const env = realEnvironment(cwd);
    const plan = planPlugin(env, { folder: 'plugin', command: ['pawl'] });
    if (!plan.ok) throw new Error(plan.failure.reason);
    expect(await applyInstall(env, plan.value)).toMatchObject({ ok: true });
    const files = readdirSync(join(cwd, 'plugin'), { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(cwd, 'plugin', path)).isFile())
      .sort();
    expect(files).toEqual([
      '.claude-plugin/plugin.json',
      '.mcp.json',
      'hooks/hooks.json',
      'skills/author-pipeline/SKILL.md',
      'skills/diagnose-run/SKILL.md',
      'skills/resume-run/SKILL.md',
    ]);
    const read = (path: string) => JSON.parse(readFileSync(join(cwd, 'plugin', path), 'utf8'));
    expect(read('.claude-plugin/plugin.json')).toMatchObject({ name: 'pawl', license: 'MIT' });
    expect(read('.mcp.json')).toEqual({ mcpServers: { pawl: { command: 'pawl', args: ['mcp'] } } });
    expect(Object.keys(read('hooks/hooks.json').hooks)).toEqual([
      'SessionStart',
      'PreCompact',
      'PreToolUse',
      'UserPromptSubmit',
      'Stop',
      'SubagentStop',
      'SessionEnd',
    ]);
    expect(planPlugin(env, { folder: 'plugin', command: ['pawl'] })).toMatchObject({
      value: { changes: [] },
    });
    const other = planPlugin(env, { folder: 'plugin' });
    expect(other.ok && other.value.changes.map(({ path }) => path)).toEqual([
      join(cwd, 'plugin/hooks/hooks.json'),
      join(cwd, 'plugin/.mcp.json'),
    ]);
  });

  it('is not made of somebody else’s', () => {
    const cwd = tempFolder({ 'a/.claude-plugin/plugin.json': '{"name": "theirs"}', 'b/.mcp.json': '{}' });
    const env = realEnvironment(cwd);
    expect(planPlugin(env, { folder: 'a' })).toEqual({
      ok: false,
      failure: { reason: 'another-plugin', path: join(cwd, 'a'), name: 'theirs' },
    });
    expect(planPlugin(env, { folder: 'b' })).toMatchObject({ failure: { reason: 'another-plugin' } });
  });
});
