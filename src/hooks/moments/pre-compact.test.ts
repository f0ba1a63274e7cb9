import { describe, expect, it } from 'vitest';
import { headAt, startMs, TestSpace } from '../../../test/fixtures/hooks.ts';

const compact = (space: TestSpace, session = 's1', trigger = 'auto') =>
  space.send('claude', { hook_event_name: 'PreCompact', session_id: session, cwd: space.root, trigger });

describe('a compaction', () => {
  it('leaves a checkpoint, and says nothing', async () => {
    const space = new TestSpace();
    const { brief } = space.putRun();
    space.write('.pawl/context/s1.json', '{"fill":87.4,"at":"2026-11-16T09:59:59.000Z","usd":1}');
    expect(await compact(space, 's1', 'manual')).toBe('');
    expect(space.inboxNames()).toEqual(['cx-001.json']);
    expect(space.inboxFile('cx-001.json')).toEqual({
      id: 'CX-001',
      timestamp: '2026-11-16T10:00:00.000Z',
      trigger: 'manual',
      estimated_fill_before: 87.4,
      active_phase: 2,
      active_gate: 'QG-1',
      active_gate_iteration: 2,
      session: 's1',
      agent: 'claude',
      run: 'r1',
      heads: { runner: { epoch: 1, length: headAt(10).length } },
      recovery_state: brief.recovery_state,
    });
    expect(space.log).toEqual([]);
  });

  it('says null of what nobody knows', async () => {
    const space = new TestSpace();
    space.putRun({ brief: { quality_trajectory: {}, recovery_state: {} } });
    await compact(space);
    expect(space.inboxFile('cx-001.json')).toMatchObject({
      estimated_fill_before: null,
      active_phase: null,
      active_gate: null,
      active_gate_iteration: null,
    });
  });

  it('is told of by the agent itself where it can', async () => {
    const space = new TestSpace();
    space.putRun();
    await space.send('cursor', {
      hook_event_name: 'preCompact',
      conversation_id: 's1',
      workspace_roots: [space.root],
      trigger: 'auto',
      context_usage_percent: 91,
    });
    expect(space.inboxFile('cx-001.json')).toMatchObject({ estimated_fill_before: 91, agent: 'cursor' });
  });

  it('that is told twice leaves one', async () => {
    const space = new TestSpace();
    space.putRun();
    await compact(space);
    space.now = startMs + 9_999;
    space.putRun({}, 20);
    await compact(space);
    expect(space.inboxNames()).toEqual(['cx-001.json']);
    space.now = startMs + 10_000;
    await compact(space);
    expect(space.inboxNames()).toEqual(['cx-001.json', 'cx-002.json']);
  });

  it('leaves one when nothing has happened since and nobody was told', async () => {
    const space = new TestSpace();
    space.putRun();
    await compact(space);
    space.now = startMs + 3_600_000;
    await compact(space);
    expect(space.inboxNames()).toEqual(['cx-001.json']);
  });

  it('leaves another when somebody was told in between, though nothing has happened', async () => {
    const space = new TestSpace();
    space.putRun();
    await compact(space);
    space.putInInbox('1794823201000-abc.json', { kind: 'reoriented', upTo: 'CX-001' });
    space.now = startMs + 3_600_000;
    await compact(space);
    expect(space.inboxNames()).toContain('cx-002.json');
  });

  it('leaves another when the journal has gone on, even if nobody can say how', async () => {
    const space = new TestSpace();
    space.putRun();
    await compact(space);
    space.now = startMs + 3_600_000;
    space.setJournal(20);
    await compact(space);
    expect(space.inboxNames()).toEqual(['cx-001.json', 'cx-002.json']);
  });

  it('of another session is another', async () => {
    const space = new TestSpace();
    space.putRun();
    await compact(space, 's1');
    await compact(space, 's2');
    expect(space.inboxFile('cx-002.json')).toMatchObject({ session: 's2' });
  });

  it('puts down what is there: nobody is kept waiting for what holds now', async () => {
    const space = new TestSpace();
    space.putRun();
    space.setJournal(20);
    await compact(space);
    expect(space.inboxFile('cx-001.json')).toMatchObject({
      active_phase: 2,
      heads: { runner: { epoch: 1, length: headAt(10).length } },
    });
    expect(space.log).toEqual([]);
  });

  it.each([
    ['an empty file', '', 'cx-002.json'],
    ['a torn one', '{"id"', 'cx-002.json'],
  ])('takes the next number after %s, and leaves that alone', async (_, content, name) => {
    const space = new TestSpace();
    space.putRun();
    space.putInInbox('cx-001.json', content);
    await compact(space);
    expect(space.inboxNames()).toEqual(['cx-001.json', name]);
    expect(space.read('.pawl/runs/r1/inbox/cx-001.json')).toBe(content);
  });

  it('goes on from the number that the document knows, past a thousand', async () => {
    const space = new TestSpace();
    const event = { id: 'CX-999', timestamp: 'x', acknowledged: true };
    space.putRun({ brief: { compaction_events: { count: 999, events: [event] } } });
    await compact(space);
    expect(space.inboxFile('cx-1000.json')).toMatchObject({ id: 'CX-1000' });
  });

  it.each(['completed', 'failed', 'cancelled'] as const)(
    "of a run that is %s is nobody's business",
    async (status) => {
      const space = new TestSpace();
      space.putRun({ status });
      await compact(space);
      expect(space.inboxNames()).toEqual([]);
    },
  );
});
