import { readdirSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TestSpace } from '../../test/fixtures/hooks.ts';

const payload = (space: TestSpace, change: object = {}) => ({
  session_id: 's1',
  transcript_path: '/t',
  cwd: space.root,
  model: { id: 'm', display_name: 'M' },
  workspace: { current_dir: space.root, project_dir: space.root, added_dirs: [] },
  version: '2.1.300',
  cost: { total_cost_usd: 7.5, total_duration_ms: 1, total_lines_added: 0 },
  context_window: { context_window_size: 200_000, current_usage: null, used_percentage: 62.3 },
  ...change,
});

describe('the status line', () => {
  it('says where the run stands', async () => {
    const space = new TestSpace();
    space.putRun();
    expect(await space.status(payload(space))).toBe('run 14/40 · write · $3.10 · ctx 62% · FRESH\n');
  });

  it('leaves the fill for the hooks', async () => {
    const space = new TestSpace();
    space.putRun();
    await space.status(payload(space));
    expect(JSON.parse(space.read('.pawl/context/s1.json'))).toEqual({
      fill: 62.3,
      at: '2026-11-16T10:00:00.000Z',
      usd: 7.5,
    });
  });

  it('takes the cost of the session where the run does not know its own', async () => {
    const space = new TestSpace();
    space.putRun({ usd: undefined });
    expect(await space.status(payload(space))).toContain(' · $7.50 · ');
  });

  it('leaves out what nobody knows, but not the fill', async () => {
    const space = new TestSpace();
    space.putRun({ usd: undefined, brief: { recovery_state: { updated_at: '2026-11-16T09:00:00Z' } } });
    const nothing = { cost: {}, context_window: { used_percentage: null, current_usage: null } };
    expect(await space.status(payload(space, nothing))).toBe('run 14/40 · ctx ? · FRESH\n');
    expect(JSON.parse(space.read('.pawl/context/s1.json'))).toMatchObject({ fill: null, usd: null });
  });

  it('counts the tokens itself where it has to', async () => {
    const space = new TestSpace();
    const current_usage = {
      input_tokens: 10_000,
      output_tokens: 90_000,
      cache_creation_input_tokens: 20_000,
      cache_read_input_tokens: 70_000,
    };
    const context_window = { context_window_size: 200_000, current_usage, used_percentage: null };
    expect(await space.status(payload(space, { context_window }))).toBe('ctx 50%\n');
  });

  it('is short without a run, and empty without anything', async () => {
    const space = new TestSpace();
    expect(await space.status(payload(space))).toBe('ctx 62%\n');
    expect(() => space.read('.pawl/context/s1.json')).toThrow('ENOENT');
    space.putRun({ status: 'completed' });
    expect(await space.status(payload(space))).toBe('ctx 62%\n');
    expect(await space.status(payload(space, { context_window: {} }))).toBe('');
    expect(await space.status({})).toBe('');
  });

  it('says when the brief is behind, and waits for nobody', async () => {
    const space = new TestSpace();
    space.putRun({ status: 'running' });
    space.setJournal(20);
    expect(await space.status(payload(space))).toContain(' · FRESH');
    space.now += 31 * 60_000;
    expect(await space.status(payload(space))).toContain(' · STALE\n');
  });

  it('says that the document is not what was written', async () => {
    const space = new TestSpace();
    const { path } = space.putRun();
    space.write(path, `# mine\n${space.read(path)}`);
    expect(await space.status(payload(space))).toContain(' · FRESH (edited)\n');
    space.write(path, space.read(path).replace(/updated_at: .*/, 'updated_at: null'));
    expect(await space.status(payload(space))).toContain(' · CRITICAL (edited)\n');
    space.write(path, 'mine');
    expect(await space.status(payload(space))).toContain(' · CRITICAL (unreadable)\n');
    rmSync(space.path(path));
    expect(await space.status(payload(space))).toContain(' · CRITICAL (missing)\n');
  });

  it('finds the project when the agent has gone elsewhere', async () => {
    const space = new TestSpace();
    space.putRun();
    const workspace = { current_dir: '/', project_dir: space.root };
    expect(await space.status(payload(space, { workspace }))).toContain('run 14/40');
  });

  it('is one line, whatever a phase is called', async () => {
    const space = new TestSpace();
    space.putRun({ brief: { recovery_state: { current_phase_name: `a\n\u001b[2J${'b'.repeat(100)}` } } });
    const line = await space.status(payload(space));
    expect(line.split('\n')).toHaveLength(2);
    expect(line).toContain(`a\\n${'b'.repeat(36)}… · `);
  });

  it.each(['../../evil', 'A/B', 'a\0b', '.', 'x'.repeat(500), 'CON', 'ÄÖ'])(
    'keeps a session called %j in one file of its folder',
    async (session) => {
      const space = new TestSpace();
      space.putRun();
      await space.status(payload(space, { session_id: session }));
      const names = readdirSync(space.path('.pawl/context'));
      expect(names).toEqual([expect.stringMatching(/^sha256\.[0-9a-f]{32}\.json$/)]);
    },
  );

  it('does not keep sessions for ever', async () => {
    const space = new TestSpace();
    space.putRun();
    for (let at = 0; at < 1000; at++) space.write(`.pawl/context/old-${at}.json`, '{}');
    await space.status(payload(space));
    const names = readdirSync(space.path('.pawl/context'));
    expect(names).toHaveLength(501);
    expect(names).toContain('s1.json');
  });

  it('says nothing to what is no payload', async () => {
    const space = new TestSpace();
    for (const odd of [null, 1, 'x', [payload(space)]]) expect(await space.status(odd)).toBe('');
  });
});
