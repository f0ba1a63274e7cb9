import { mkdirSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contextOf, TestSpace } from '../../../test/fixtures/hooks.ts';

const document = `resumption:
  recovery_state:
    current_phase: 2
    workflow_status: stopped
    next_step: "Write scene 4."
    updated_at: "2026-11-16T09:59:00.000Z"
  decision_log: []
  compaction_events:
    count: 0
    events: []
`;

function spaceWithDocument(path = 'ORCHESTRATION.yaml'): TestSpace {
  const space = new TestSpace();
  space.putRun({ path, isSection: true });
  space.write(path, document);
  return space;
}

interface Written {
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
  readonly cwd?: string;
}

const write = async (space: TestSpace, { path, before, after = '', cwd = space.root }: Written) => {
  const tool_input =
    before === undefined
      ? { file_path: path, content: after }
      : { file_path: path, old_string: before, new_string: after };
  const tool_name = before === undefined ? 'Write' : 'Edit';
  const payload = { hook_event_name: 'PreToolUse', session_id: 's1', cwd, tool_name, tool_input };
  return contextOf(await space.send('claude', payload));
};

const phase = { before: 'current_phase: 2', after: 'current_phase: 3' };
const next = { before: 'Write scene 4.', after: 'Write scene 5.' };

describe('a write to the brief', () => {
  it('of what only the engine can say is told so, and let be', async () => {
    const space = spaceWithDocument();
    const warning = await write(space, { path: 'ORCHESTRATION.yaml', ...phase });
    expect(warning).toContain(
      'in `ORCHESTRATION.yaml`, `recovery_state.current_phase` can only be said by the engine',
    );
    expect(warning).toContain('`next_step`, `recurring_patterns`, more `files_to_read`, `decision_log`');
    expect(warning).toContain('The brief is FRESH.');
    expect(warning).not.toMatch(/deny|block/);
  });

  it("of what is the agent's to say is not", async () => {
    expect(await write(spaceWithDocument(), { path: 'ORCHESTRATION.yaml', ...next })).toBeUndefined();
  });

  it('as a whole is compared with what stands there', async () => {
    const space = spaceWithDocument();
    const path = space.path('ORCHESTRATION.yaml');
    expect(await write(space, { path, after: document })).toBeUndefined();
    expect(await write(space, { path, after: document.replace('count: 0', 'count: 5') })).toContain(
      '`compaction_events.count`',
    );
  });

  it('is warned of when the journal has gone on', async () => {
    const space = spaceWithDocument();
    space.setJournal(20);
    expect(await write(space, { path: 'ORCHESTRATION.yaml', ...next })).toBeUndefined();
    space.now += 31 * 60_000;
    expect(await write(space, { path: 'ORCHESTRATION.yaml', ...next })).toMatch(
      /the brief in `ORCHESTRATION.yaml`.* is STALE/,
    );
    expect(await write(space, { path: 'ORCHESTRATION.yaml', ...phase })).toContain('The brief is STALE.');
  });

  it('is critical when it was written in another session', async () => {
    const space = spaceWithDocument();
    await space.send('claude', { hook_event_name: 'SessionStart', session_id: 's1', cwd: space.root });
    space.setJournal(20);
    space.now += 1000;
    expect(await write(space, { path: 'ORCHESTRATION.yaml', ...next })).toContain('is CRITICAL');
  });

  it('is not warned of when nobody can go on with the run', async () => {
    const space = new TestSpace();
    space.putRun({ path: 'ORCHESTRATION.yaml', status: 'completed' });
    space.write('ORCHESTRATION.yaml', document);
    space.setJournal(20);
    expect(await write(space, { path: 'ORCHESTRATION.yaml', ...next })).toBeUndefined();
    expect(await write(space, { path: 'ORCHESTRATION.yaml', ...phase })).toContain(
      'only be said by the engine',
    );
  });

  it('is found by a path that is absolute, relative to where the agent is, or goes through a link', async () => {
    const space = spaceWithDocument('docs/ORCHESTRATION.yaml');
    mkdirSync(space.path('sub'));
    symlinkSync(space.path('docs'), space.path('sub/linked'));
    symlinkSync(space.path('docs/ORCHESTRATION.yaml'), space.path('plan.yaml'));
    for (const one of [
      { path: space.path('docs/ORCHESTRATION.yaml') },
      { path: 'docs/../docs/ORCHESTRATION.yaml' },
      { path: '../docs/ORCHESTRATION.yaml', cwd: space.path('sub') },
      { path: 'sub/linked/ORCHESTRATION.yaml' },
      { path: 'plan.yaml' },
    ]) {
      expect(await write(space, { ...phase, ...one }), one.path).toContain('recovery_state.current_phase');
    }
    expect(await write(space, { path: 'ORCHESTRATION.yaml', ...phase })).toBeUndefined();
  });

  it('in a patch is seen too', async () => {
    const space = spaceWithDocument();
    const command = [
      '*** Begin Patch',
      '*** Update File: notes.md',
      '@@',
      '-a',
      '+b',
      '*** Update File: ORCHESTRATION.yaml',
      '@@',
      '   recovery_state:',
      '-    current_phase: 2',
      '+    current_phase: 3',
      '*** End Patch',
    ].join('\n');
    const payload = {
      hook_event_name: 'PreToolUse',
      session_id: 's1',
      cwd: space.root,
      tool_name: 'apply_patch',
    };
    const printed = await space.send('codex', { ...payload, tool_input: { command } });
    expect(contextOf(printed)).toContain('`recovery_state.current_phase`');
  });

  it('that is too large or unreadable says less, and no more', async () => {
    const space = spaceWithDocument();
    space.write('ORCHESTRATION.yaml', `${document}# ${'x'.repeat(1024 * 1024)}\n`);
    expect(await write(space, { path: 'ORCHESTRATION.yaml', ...phase })).toMatch(
      /is CRITICAL: it cannot be read/,
    );
  });

  it('that says a time before the journal is warned of, though no journal has gone on', async () => {
    const space = spaceWithDocument();
    space.write('ORCHESTRATION.yaml', document.replace('09:59', '07:59'));
    expect(await write(space, { path: 'ORCHESTRATION.yaml', ...next })).toContain('is STALE');
    space.write('ORCHESTRATION.yaml', document.replace(/ +updated_at.*\n/, ''));
    expect(await write(space, { path: 'ORCHESTRATION.yaml', ...next })).toContain('is CRITICAL');
  });
});

describe('a write that an agent tells of afterwards', () => {
  const written = async (space: TestSpace, file_path: string, old_string: string, new_string: string) => {
    const tool = {
      tool_name: 'replace',
      tool_input: { file_path, old_string, new_string },
      tool_response: {},
    };
    const payload = { hook_event_name: 'AfterTool', session_id: 's1', cwd: space.root, ...tool };
    return contextOf(await space.send('gemini', payload));
  };

  it('is seen by what it has left', async () => {
    const space = spaceWithDocument();
    space.write('ORCHESTRATION.yaml', document.replace('current_phase: 2', 'current_phase: 3'));
    const path = 'ORCHESTRATION.yaml';
    expect(await written(space, path, 'current_phase: 2', 'current_phase: 3')).toContain(
      '`recovery_state.current_phase`',
    );
    expect(await written(space, path, 'Write scene 3.', 'Write scene 4.')).toBeUndefined();
  });

  it('is where an agent is told after a compaction, once', async () => {
    const space = spaceWithDocument();
    await space.send('gemini', {
      hook_event_name: 'PreCompress',
      session_id: 's1',
      cwd: space.root,
      trigger: 'manual',
    });
    expect(await written(space, 'a.md', 'a', 'b')).toMatch(/^The context was compacted \(CX-001/);
    expect(space.notes()).toMatchObject([{ kind: 'reoriented', upTo: 'CX-001' }]);
    expect(await written(space, 'a.md', 'a', 'b')).toBeUndefined();
  });

  it('does not take that from an agent that begins again after it', async () => {
    const space = spaceWithDocument();
    await space.send('claude', { hook_event_name: 'PreCompact', session_id: 's1', cwd: space.root });
    expect(await write(space, { path: 'a.md' })).toBeUndefined();
    expect(space.notes()).toEqual([]);
  });
});

describe('a write elsewhere', () => {
  it.each(['.pawl/brief', '.pawl/runs/r1/events/runner/000001.jsonl', '.pawl/new/deep/file', '.pawl/x'])(
    'in the folder of Pawl is warned of: %s',
    async (path) => {
      expect(await write(spaceWithDocument(), { path })).toContain("one of Pawl's own files");
    },
  );

  it('to the journal of a run that lies elsewhere is warned of', async () => {
    const space = new TestSpace();
    space.putRun();
    space.write('specs/one/events/runner/000001.jsonl', 'x'.repeat(10));
    space.putRun({ folder: 'specs/one', path: 'specs/one/brief.yaml' });
    expect(await write(space, { path: 'specs/one/events/runner/000001.jsonl' })).toContain('own files');
    expect(await write(space, { path: 'specs/one/spec.md' })).toBeUndefined();
  });

  it.each([
    ['a file', 'src/a.ts'],
    ['a folder of a like name', '.pawlx/a'],
    ['far away', '/etc/hosts'],
    ['outside', '../a'],
    ['hidden behind a NUL', '.pawl/a\0b'],
    ['nowhere', ''],
    ['too long for a path', 'x'.repeat(10_000)],
  ])("is nobody's business: %s", async (_, path) => {
    const space = spaceWithDocument();
    expect(await write(space, { path })).toBeUndefined();
    expect(space.log).toEqual([]);
  });
});
