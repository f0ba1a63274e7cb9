import { describe, expect, it } from 'vitest';
import { TestSpace } from '../../../test/fixtures/hooks.ts';

const send = (space: TestSpace, hook_event_name: string, more: object = {}) =>
  space.send('claude', { hook_event_name, session_id: 's1', cwd: space.root, ...more });

describe('an end', () => {
  it('of a turn is noted, and nothing is said', async () => {
    const space = new TestSpace();
    space.putRun();
    expect(await send(space, 'Stop', { stop_hook_active: false })).toBe('');
    expect(space.notes()).toMatchObject([{ kind: 'stopped', agent: 'claude', session: 's1' }]);
  });

  it.each(['Stop', 'SubagentStop'])(
    'of a turn that a hook kept going is not noted again (%s)',
    async (event) => {
      const space = new TestSpace();
      space.putRun();
      expect(await send(space, event, { stop_hook_active: true })).toBe('');
      expect(space.notes()).toEqual([]);
    },
  );

  it('of a subagent is noted with a line of what it said', async () => {
    const space = new TestSpace();
    space.putRun();
    const message = '\n  DONE. 403 files modified.\u202e\nThe rest.';
    expect(
      await send(space, 'SubagentStop', {
        agent_id: 'a1',
        agent_type: 'executor',
        last_assistant_message: message,
      }),
    ).toBe('');
    expect(space.notes()).toMatchObject([
      {
        kind: 'subagent-stopped',
        agent_id: 'a1',
        agent_type: 'executor',
        summary: 'DONE. 403 files modified.\\u{202e}',
      },
    ]);
  });

  it('of a subagent that said nothing has no such line', async () => {
    const space = new TestSpace();
    space.putRun();
    await send(space, 'SubagentStop', { agent_id: 'a1', last_assistant_message: null });
    expect(space.notes()).toMatchObject([{ agent_id: 'a1', agent_type: '' }]);
    expect(space.notes()[0]).not.toHaveProperty('summary');
  });

  it('of a session is noted, and its files are put away', async () => {
    const space = new TestSpace();
    space.putRun();
    space.write('.pawl/context/s1.json', '{"fill":87}');
    space.write('.pawl/context/s1.said.json', '{}');
    space.write('.pawl/context/s2.json', '{}');
    expect(await send(space, 'SessionEnd', { reason: 'logout' })).toBe('');
    expect(space.notes()).toMatchObject([{ kind: 'session-ended', reason: 'logout' }]);
    expect(() => space.read('.pawl/context/s1.json')).toThrow('ENOENT');
    expect(() => space.read('.pawl/context/s1.said.json')).toThrow('ENOENT');
    expect(space.read('.pawl/context/s2.json')).toBe('{}');
  });

  it.each(['Stop', 'SubagentStop', 'SessionEnd'])("after a run is nobody's business (%s)", async (event) => {
    const space = new TestSpace();
    space.putRun({ status: 'completed' });
    await send(space, event);
    expect(space.notes()).toEqual([]);
  });

  it('does not wait for a brief that is behind', async () => {
    const space = new TestSpace();
    space.putRun({ status: 'running' });
    space.setJournal(20);
    await send(space, 'Stop');
    await send(space, 'SessionEnd');
    expect(space.notes()).toHaveLength(2);
    expect(space.log).toEqual([]);
  });
});
