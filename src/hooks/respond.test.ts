import { statSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TestSpace } from '../../test/fixtures/hooks.ts';
import { agentNames } from '../engine/agents/supports.ts';
import { showStatus } from './statusline.ts';

const text = (value: string) => ({ kind: 'text', text: value }) as const;

describe('a payload that makes no sense', () => {
  it.each([
    ['no JSON', 'hello', 'no JSON'],
    ['half of it', '{"hook_event_name": "SessionSt', 'no JSON'],
    ['a list', '[{"hook_event_name":"SessionStart"}]', 'no JSON object'],
    ['null', 'null', 'no JSON object'],
    ['a text', '"SessionStart"', 'no JSON object'],
  ])('is logged and never answered: %s', async (_, payload, message) => {
    const space = new TestSpace();
    space.putRun();
    const world = { ...space.world, folders: [space.root] };
    const { respond } = await import('./respond.ts');
    for (const agent of agentNames) {
      await respond(world, [agent], text(payload), () => {
        throw new Error('printed');
      });
    }
    expect(space.log).toHaveLength(agentNames.length);
    expect(space.log[0]).toMatch(/^2026-11-16T10:00:00\.000Z /);
    expect(space.log[0]).toContain(message);
  });

  it('is logged where there is no workspace too', async () => {
    const space = new TestSpace();
    await space.sendText('claude', { kind: 'too-long' });
    await space.sendText('nobody', text('{}'));
    const log = space.read('user-state/hook.log');
    expect(log).toContain('the payload is too long');
    expect(log).toContain('no agent is called nobody');
  });

  it('that is none is not even logged', async () => {
    const space = new TestSpace();
    expect(await space.sendText('claude', { kind: 'nothing' })).toBe('');
    expect(await space.sendText('claude', text('{"hook_event_name":"Notification"}'))).toBe('');
    expect(() => statSync(space.path('user-state'))).toThrow('ENOENT');
  });

  it('has a log that does not grow for ever, of whole lines', async () => {
    const space = new TestSpace();
    space.putRun();
    space.write('.pawl/hook.log', 'x'.repeat(256 * 1024));
    space.write('.pawl/runs/r1/inbox', 'in the way');
    await space.send('claude', { hook_event_name: 'Stop', session_id: 'a\nb', cwd: space.root });
    expect(space.log).toHaveLength(1);
    expect(space.read('.pawl/hook.log.1')).toHaveLength(256 * 1024);
  });
});

describe('whatever comes', () => {
  const events = [
    ...['SessionStart', 'PreCompact', 'PreToolUse', 'UserPromptSubmit', 'Stop', 'SubagentStop', 'SessionEnd'],
    ...['BeforeTool', 'AfterTool', 'BeforeAgent', 'AfterAgent', 'PreCompress'],
    ...[
      'sessionStart',
      'preToolUse',
      'preCompact',
      'beforeSubmitPrompt',
      'stop',
      'subagentStop',
      'sessionEnd',
    ],
    ...['tool.execute.before', 'chat.message', 'session.created', 'session.compacted', 'session.deleted'],
  ];
  const names = [
    ...['session_id', 'sessionId', 'sessionID', 'conversation_id', 'source', 'trigger', 'reason', 'prompt'],
    ...['tool_name', 'toolName', 'tool', 'tool_input', 'toolArgs', 'args', 'event', 'properties', 'info'],
    ...['stop_hook_active', 'stopReason', 'agent_id', 'agentName', 'last_assistant_message', 'summary'],
    ...[
      'context_window',
      'used_percentage',
      'current_usage',
      'cost',
      'workspace',
      '__proto__',
      'constructor',
    ],
  ];

  it('no payload makes a hook fail, or print anything but one JSON object', async () => {
    const space = new TestSpace();
    space.putRun({ path: 'a.yaml' });
    space.refresh = async () => ({ state: undefined });
    const value = fc.jsonValue({ maxDepth: 3 });
    const payload = fc.oneof(
      value,
      fc
        .tuple(
          fc.constantFrom(...events),
          fc.dictionary(
            fc.constantFrom(...names),
            fc.oneof(value, fc.constantFrom('Write', 'a.yaml', 'compact')),
          ),
        )
        .map(([event, rest]) => ({ ...rest, cwd: space.root, hook_event_name: event, hook: event })),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...agentNames), payload, async (agent, one) => {
        const printed = await space.send(agent, one);
        if (printed !== '') expect(JSON.parse(printed)).toBeTypeOf('object');
        expect(printed.split('\n').length).toBeLessThanOrEqual(2);
      }),
      { numRuns: 400 },
    );
  });

  it('no status payload makes the line fail, or more than one', async () => {
    const space = new TestSpace();
    space.putRun();
    const value = fc.jsonValue({ maxDepth: 3 });
    await fc.assert(
      fc.asyncProperty(fc.oneof(value, fc.dictionary(fc.constantFrom(...names), value)), async (one) => {
        const found = await space.status(
          typeof one === 'object' && one !== null ? { cwd: space.root, ...one } : one,
        );
        expect(found.split('\n').length).toBeLessThanOrEqual(2);
      }),
    );
  });

  it('no state of the run makes a hook fail', async () => {
    const space = new TestSpace();
    space.refresh = async () => ({ state: undefined });
    const value = fc.jsonValue({ maxDepth: 2 });
    const sections = ['recovery_state', 'quality_trajectory', 'compaction_events', 'defect_summary'] as const;
    const brief = fc.dictionary(fc.constantFrom(...sections), value);
    const inner = fc.dictionary(
      fc.constantFrom('current_phase', 'updated_at', 'current_gate', 'score_history', 'events', 'next_step'),
      value,
    );
    await fc.assert(
      fc.asyncProperty(brief, inner, fc.string(), async (odd, recovery, digest) => {
        space.putRun({ brief: { ...odd, recovery_state: recovery }, digest });
        for (const hook_event_name of ['SessionStart', 'PreCompact', 'UserPromptSubmit', 'Stop']) {
          await space.send('claude', {
            hook_event_name,
            session_id: 's1',
            cwd: space.root,
            source: 'compact',
          });
        }
        await space.status({ session_id: 's1', cwd: space.root });
      }),
      { numRuns: 60 },
    );
    expect(space.log.filter((line) => !line.includes('inbox is full'))).toEqual([]);
  });

  it('a disk that fails at every turn leaves the agent alone', async () => {
    const space = new TestSpace();
    space.putRun();
    const fail = () => {
      throw Object.assign(new Error('EIO'), { code: 'EIO' });
    };
    const { respond } = await import('./respond.ts');
    for (const name of [
      'stat',
      'read',
      'list',
      'create',
      'append',
      'link',
      'rename',
      'makeFolder',
      'remove',
      'realpath',
    ]) {
      const { world } = space;
      const broken = { ...world, env: { ...world.env, disk: { ...world.env.disk, [name]: fail } } };
      for (const hook_event_name of [
        'SessionStart',
        'PreCompact',
        'PreToolUse',
        'UserPromptSubmit',
        'Stop',
        'SessionEnd',
      ]) {
        const payload = {
          hook_event_name,
          session_id: 's1',
          cwd: space.root,
          tool_name: 'Write',
          tool_input: { path: 'a' },
        };
        await respond(broken, ['claude'], text(JSON.stringify(payload)), () => true);
      }
      showStatus(broken, text(JSON.stringify({ session_id: 's1', cwd: space.root })), () => true);
    }
  });
});
