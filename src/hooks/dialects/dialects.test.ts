import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { agentNames, documentation, hookMoments, supports } from '../../engine/agents/supports.ts';
import type { FileWrite, HookCall } from '../call.ts';
import { dialectOf } from './index.ts';

/* Payloads of the shapes that each agent documents, with values of our own. */

interface Case {
  readonly agent: string;
  readonly payload: JsonObject;
  /** Given on the command line. */
  readonly event?: string;
  readonly call: Partial<HookCall>;
  readonly answer: unknown;
}

const text = 'words';
const shared = (event: string) => ({
  hookSpecificOutput: { hookEventName: event, additionalContext: text },
});
const edit = (path: string) => [{ path, edits: [{ before: 'a', after: 'b', everywhere: false }] }];
const whole = (path: string, after: string) => [
  { path, edits: [{ before: undefined, after, everywhere: false }] },
];

const tool = (name: string, writes: FileWrite[], isDone = false) => ({ name, writes, isDone });

const claudeBase = {
  session_id: 's1',
  transcript_path: '/home/u/.claude/projects/p/s1.jsonl',
  cwd: '/w',
  permission_mode: 'default',
};

const claude: Case[] = [
  ...['startup', 'resume', 'clear', 'compact', 'fork'].map((source) => ({
    agent: 'claude',
    payload: { ...claudeBase, hook_event_name: 'SessionStart', source, model: 'm' },
    call: { moment: 'session-start', source, session: 's1', cwd: '/w' } as const,
    answer: shared('SessionStart'),
  })),
  ...(['manual', 'auto'] as const).map((trigger) => ({
    agent: 'claude',
    payload: { ...claudeBase, hook_event_name: 'PreCompact', trigger, custom_instructions: '' },
    call: { moment: 'pre-compact', trigger } as const,
    answer: undefined,
  })),
  {
    agent: 'claude',
    payload: {
      ...claudeBase,
      hook_event_name: 'PreToolUse',
      tool_name: 'Edit',
      tool_input: { file_path: '/w/a.md', old_string: 'a', new_string: 'b' },
      tool_use_id: 't1',
    },
    call: { moment: 'pre-tool', tool: tool('Edit', edit('/w/a.md')) },
    answer: shared('PreToolUse'),
  },
  {
    agent: 'claude',
    payload: { ...claudeBase, hook_event_name: 'UserPromptSubmit', prompt: 'go on' },
    call: { moment: 'prompt' },
    answer: shared('UserPromptSubmit'),
  },
  {
    agent: 'claude',
    payload: { ...claudeBase, hook_event_name: 'Stop', stop_hook_active: true, last_assistant_message: 'x' },
    call: { moment: 'stop', stopHookActive: true },
    answer: undefined,
  },
  {
    agent: 'claude',
    payload: {
      ...claudeBase,
      hook_event_name: 'SubagentStop',
      stop_hook_active: false,
      agent_id: 'a1',
      agent_type: 'Explore',
      agent_transcript_path: '/t',
      last_assistant_message: 'Found it.\nMore.',
    },
    call: {
      moment: 'subagent-stop',
      stopHookActive: false,
      subagent: { id: 'a1', type: 'Explore', message: 'Found it.\nMore.' },
    },
    answer: undefined,
  },
  {
    agent: 'claude',
    payload: { ...claudeBase, hook_event_name: 'SessionEnd', reason: 'logout' },
    call: { moment: 'session-end', reason: 'logout' },
    answer: undefined,
  },
];

const codexBase = { ...claudeBase, turn_id: 'u1', model: 'm', transcript_path: null };

const codex: Case[] = [
  {
    agent: 'codex',
    payload: { ...codexBase, hook_event_name: 'SessionStart', source: 'compact' },
    call: { moment: 'session-start', source: 'compact' },
    answer: shared('SessionStart'),
  },
  {
    agent: 'codex',
    payload: { ...codexBase, hook_event_name: 'PreCompact', trigger: 'auto' },
    call: { moment: 'pre-compact', trigger: 'auto' },
    answer: undefined,
  },
  {
    agent: 'codex',
    payload: {
      ...codexBase,
      hook_event_name: 'PreToolUse',
      tool_name: 'apply_patch',
      tool_input: { command: '*** Begin Patch\n*** Update File: a.md\n@@\n-a\n+b\n*** End Patch\n' },
      tool_use_id: 't1',
    },
    call: { moment: 'pre-tool', tool: tool('apply_patch', edit('a.md')) },
    answer: shared('PreToolUse'),
  },
  {
    agent: 'codex',
    payload: { ...codexBase, hook_event_name: 'UserPromptSubmit', prompt: 'go on' },
    call: { moment: 'prompt' },
    answer: shared('UserPromptSubmit'),
  },
  {
    agent: 'codex',
    payload: {
      ...codexBase,
      hook_event_name: 'SubagentStop',
      agent_id: 'a1',
      agent_type: 'worker',
      agent_transcript_path: null,
      last_assistant_message: null,
      stop_hook_active: false,
    },
    call: { moment: 'subagent-stop', subagent: { id: 'a1', type: 'worker', message: undefined } },
    answer: undefined,
  },
  {
    agent: 'codex',
    payload: { ...codexBase, hook_event_name: 'SessionEnd', reason: 'other' },
    call: { moment: 'session-end', reason: 'other' },
    answer: undefined,
  },
];

const geminiBase = { session_id: 's1', transcript_path: '/t', cwd: '/w', timestamp: '2026-11-16T10:00:00Z' };

const gemini: Case[] = [
  {
    agent: 'gemini',
    payload: { ...geminiBase, hook_event_name: 'SessionStart', source: 'resume' },
    call: { moment: 'session-start', source: 'resume' },
    answer: shared('SessionStart'),
  },
  {
    agent: 'gemini',
    payload: { ...geminiBase, hook_event_name: 'PreCompress', trigger: 'manual' },
    call: { moment: 'pre-compact', trigger: 'manual' },
    answer: undefined,
  },
  {
    agent: 'gemini',
    payload: {
      ...geminiBase,
      hook_event_name: 'BeforeTool',
      tool_name: 'write_file',
      tool_input: { file_path: 'a.md', content: 'x' },
    },
    call: { moment: 'pre-tool', tool: tool('write_file', whole('a.md', 'x')) },
    answer: { systemMessage: text },
  },
  {
    agent: 'gemini',
    payload: {
      ...geminiBase,
      hook_event_name: 'AfterTool',
      tool_name: 'replace',
      tool_input: { file_path: 'a.md', old_string: 'a', new_string: 'b' },
      tool_response: { llmContent: 'ok' },
    },
    call: { moment: 'pre-tool', tool: tool('replace', edit('a.md'), true) },
    answer: shared('AfterTool'),
  },
  {
    agent: 'gemini',
    payload: { ...geminiBase, hook_event_name: 'BeforeAgent', prompt: 'go on' },
    call: { moment: 'prompt' },
    answer: shared('BeforeAgent'),
  },
  {
    agent: 'gemini',
    payload: { ...geminiBase, hook_event_name: 'AfterAgent', prompt_response: 'x', stop_hook_active: true },
    call: { moment: 'stop', stopHookActive: true },
    answer: undefined,
  },
  {
    agent: 'gemini',
    payload: { ...geminiBase, hook_event_name: 'SessionEnd', reason: 'exit' },
    call: { moment: 'session-end', reason: 'exit' },
    answer: undefined,
  },
];

const cursorBase = {
  conversation_id: 's1',
  generation_id: 'g1',
  model: 'm',
  cursor_version: '3.1.0',
  workspace_roots: ['/w'],
  user_email: null,
  transcript_path: null,
};

const cursor: Case[] = [
  {
    agent: 'cursor',
    payload: { ...cursorBase, hook_event_name: 'sessionStart', session_id: 's1', composer_mode: 'agent' },
    call: { moment: 'session-start', source: 'startup', session: 's1', cwd: '/w' },
    answer: { additional_context: text },
  },
  {
    agent: 'cursor',
    payload: {
      ...cursorBase,
      hook_event_name: 'preCompact',
      trigger: 'auto',
      context_usage_percent: 91,
      is_first_compaction: true,
    },
    call: { moment: 'pre-compact', trigger: 'auto', fill: 91 },
    answer: undefined,
  },
  {
    agent: 'cursor',
    payload: {
      ...cursorBase,
      hook_event_name: 'preToolUse',
      tool_name: 'Write',
      tool_input: { path: '/w/a.md', contents: 'x' },
      cwd: '/w/sub',
    },
    call: { moment: 'pre-tool', cwd: '/w/sub', tool: tool('Write', whole('/w/a.md', 'x')) },
    answer: { permission: 'allow', agent_message: text, additional_context: text },
  },
  {
    agent: 'cursor',
    payload: {
      ...cursorBase,
      hook_event_name: 'postToolUse',
      tool_name: 'Write',
      tool_input: { path: '/w/a.md', contents: 'x' },
      tool_output: 'ok',
      cwd: '/w',
      duration: 12,
    },
    call: { moment: 'pre-tool', tool: tool('Write', whole('/w/a.md', 'x'), true) },
    answer: { additional_context: text },
  },
  {
    agent: 'cursor',
    payload: { ...cursorBase, hook_event_name: 'beforeSubmitPrompt', prompt: 'go on', attachments: [] },
    call: { moment: 'prompt' },
    answer: { continue: true, additional_context: text },
  },
  {
    agent: 'cursor',
    payload: { ...cursorBase, hook_event_name: 'stop', status: 'completed', loop_count: 0 },
    call: { moment: 'stop' },
    answer: undefined,
  },
  {
    agent: 'cursor',
    payload: {
      ...cursorBase,
      conversation_id: 's2',
      parent_conversation_id: 's1',
      hook_event_name: 'subagentStop',
      subagent_id: 'a1',
      subagent_type: 'explore',
      status: 'completed',
      summary: 'Found it.',
    },
    call: {
      moment: 'subagent-stop',
      session: 's1',
      subagent: { id: 'a1', type: 'explore', message: 'Found it.' },
    },
    answer: undefined,
  },
  {
    agent: 'cursor',
    payload: { ...cursorBase, hook_event_name: 'sessionEnd', session_id: 's1', reason: 'window_close' },
    call: { moment: 'session-end', reason: 'window_close' },
    answer: undefined,
  },
];

const copilotBase = { sessionId: 's1', timestamp: 1_794_823_200_000, cwd: '/w' };
const both = (event: string) => ({ additionalContext: text, ...shared(event) });

const copilot: Case[] = [
  {
    agent: 'copilot',
    payload: { ...copilotBase, source: 'new', initialPrompt: 'go on' },
    call: { moment: 'session-start', source: 'startup', session: 's1' },
    answer: both('SessionStart'),
  },
  {
    agent: 'copilot',
    event: 'sessionStart',
    payload: { timestamp: 1_794_823_200_000, cwd: '/w' },
    call: { moment: 'session-start', source: 'startup', session: '' },
    answer: both('SessionStart'),
  },
  {
    agent: 'copilot',
    payload: { ...copilotBase, transcriptPath: '/t', trigger: 'manual', customInstructions: '' },
    call: { moment: 'pre-compact', trigger: 'manual' },
    answer: undefined,
  },
  {
    agent: 'copilot',
    payload: {
      ...copilotBase,
      toolName: 'edit',
      toolArgs: JSON.stringify({ path: '/w/a.md', old_str: 'a', new_str: 'b' }),
    },
    call: { moment: 'pre-tool', tool: tool('edit', edit('/w/a.md')) },
    answer: both('PreToolUse'),
  },
  {
    agent: 'copilot',
    payload: {
      ...copilotBase,
      toolName: 'create',
      toolArgs: { path: '/w/a.md', file_text: 'x' },
      toolResult: { resultType: 'success', textResultForLlm: 'ok' },
    },
    call: { moment: 'pre-tool', tool: tool('create', whole('/w/a.md', 'x'), true) },
    answer: both('PostToolUse'),
  },
  {
    agent: 'copilot',
    payload: { ...copilotBase, prompt: 'go on' },
    call: { moment: 'prompt' },
    answer: both('UserPromptSubmit'),
  },
  {
    agent: 'copilot',
    payload: { ...copilotBase, transcriptPath: '/t', stopReason: 'end_turn' },
    call: { moment: 'stop' },
    answer: undefined,
  },
  {
    agent: 'copilot',
    payload: {
      ...copilotBase,
      agentName: 'explore',
      agentId: 'a1',
      response: 'pong',
      stopReason: 'end_turn',
    },
    call: { moment: 'subagent-stop', subagent: { id: 'a1', type: 'explore', message: 'pong' } },
    answer: undefined,
  },
  {
    agent: 'copilot',
    payload: { ...copilotBase, reason: 'user_exit' },
    call: { moment: 'session-end', reason: 'user_exit' },
    answer: undefined,
  },
  {
    agent: 'copilot',
    payload: {
      hook_event_name: 'PreToolUse',
      session_id: 's1',
      timestamp: '2026-11-16T10:00:00Z',
      cwd: '/w',
      tool_name: 'replace_string_in_file',
      tool_input: { filePath: '/w/a.md', oldString: 'a', newString: 'b' },
    },
    call: { moment: 'pre-tool', tool: tool('replace_string_in_file', edit('/w/a.md')) },
    answer: both('PreToolUse'),
  },
];

const opencode: Case[] = [
  {
    agent: 'opencode',
    payload: {
      directory: '/w',
      event: { type: 'session.created', properties: { info: { id: 's1', directory: '/w' } } },
    },
    call: { moment: 'session-start', source: 'startup', session: 's1', cwd: '/w' },
    answer: { context: text },
  },
  {
    agent: 'opencode',
    payload: { directory: '/w', event: { type: 'session.compacted', properties: { sessionID: 's1' } } },
    call: { moment: 'session-start', source: 'compact', session: 's1' },
    answer: { context: text },
  },
  {
    agent: 'opencode',
    payload: { hook: 'experimental.session.compacting', directory: '/w', sessionID: 's1' },
    call: { moment: 'pre-compact', trigger: 'auto', session: 's1' },
    answer: undefined,
  },
  {
    agent: 'opencode',
    payload: {
      hook: 'tool.execute.before',
      directory: '/w',
      sessionID: 's1',
      tool: 'edit',
      args: { filePath: '/w/a.md', oldString: 'a', newString: 'b' },
    },
    call: { moment: 'pre-tool', tool: tool('edit', edit('/w/a.md')) },
    answer: { context: text },
  },
  {
    agent: 'opencode',
    payload: {
      hook: 'tool.execute.after',
      directory: '/w',
      sessionID: 's1',
      tool: 'write',
      args: { filePath: '/w/a.md', content: 'x' },
    },
    call: { moment: 'pre-tool', tool: tool('write', whole('/w/a.md', 'x'), true) },
    answer: { context: text },
  },
  {
    agent: 'opencode',
    payload: { hook: 'chat.message', directory: '/w', sessionID: 's1' },
    call: { moment: 'prompt' },
    answer: { context: text },
  },
  {
    agent: 'opencode',
    payload: { directory: '/w', event: { type: 'session.idle', properties: { sessionID: 's1' } } },
    call: { moment: 'stop' },
    answer: undefined,
  },
  {
    agent: 'opencode',
    payload: { directory: '/w', event: { type: 'session.deleted', properties: { info: { id: 's1' } } } },
    call: { moment: 'session-end', reason: 'deleted' },
    answer: undefined,
  },
];

const cases = [...claude, ...codex, ...gemini, ...cursor, ...copilot, ...opencode];

describe('a payload', () => {
  it.each(cases)('of $agent at $call.moment is read, and answered in its own shape', (one) => {
    const dialect = dialectOf(one.agent);
    const call = dialect?.read(one.payload, one.event);
    expect(call).toMatchObject({ agent: one.agent, ...one.call });
    if (call === undefined) return;
    expect(dialect?.write({ context: text }, call)).toEqual(one.answer);
  });

  it.each([
    ['claude', { hook_event_name: 'PostToolUse', session_id: 's1' }],
    ['claude', { hook_event_name: 'constructor' }],
    ['codex', {}],
    ['gemini', { hook_event_name: 'AfterModel' }],
    ['cursor', { hook_event_name: 'afterAgentThought' }],
    ['copilot', { sessionId: 's1', toolName: 'edit', toolArgs: {}, error: 'no' }],
    ['copilot', { sessionId: 's1' }],
    ['opencode', { event: { type: 'message.updated' } }],
    ['opencode', { event: { type: 'session.created', properties: { info: { id: 's2', parentID: 's1' } } } }],
  ])('of %s that is none of ours is passed over: %j', (agent, payload) => {
    expect(dialectOf(agent)?.read(payload, undefined)).toBeUndefined();
  });

  it('is only believed where it has the right type', () => {
    const payload = { hook_event_name: 'SessionStart', session_id: 7, cwd: 'relative', source: ['x'] };
    expect(dialectOf('claude')?.read(payload, undefined)).toEqual({
      agent: 'claude',
      moment: 'session-start',
      event: 'SessionStart',
      session: '',
      cwd: undefined,
      source: 'startup',
    });
    const hidden = { hook_event_name: 'Stop', cwd: '/w\0/etc' };
    expect(dialectOf('claude')?.read(hidden, undefined)?.cwd).toBeUndefined();
  });
});

describe('silence', () => {
  it.each(cases.filter(({ agent }) => agent !== 'cursor'))(
    'is nothing at all to $agent ($call.moment)',
    (one) => {
      const dialect = dialectOf(one.agent);
      const call = dialect?.read(one.payload, one.event);
      expect(call && dialect?.write(undefined, call)).toBeUndefined();
    },
  );

  it('would hold up a write in Cursor: it is let through, and no other tool is', () => {
    const dialect = dialectOf('cursor');
    const payload = (tool: string, input: JsonObject) => ({
      ...cursorBase,
      hook_event_name: 'preToolUse',
      tool_name: tool,
      tool_input: input,
    });
    const write = dialect?.read(payload('Write', { path: '/w/a.md', contents: '' }), undefined);
    expect(write && dialect?.write(undefined, write)).toEqual({ permission: 'allow' });
    const shell = dialect?.read(payload('Shell', { command: 'rm -r /' }), undefined);
    expect(shell && dialect?.write({ context: text }, shell)).toBeUndefined();
  });
});

describe('what is installed', () => {
  const installed = agentNames.flatMap((agent) =>
    hookMoments.flatMap((moment) => {
      const event = supports[agent][moment];
      return event === undefined ? [] : [{ agent, moment, event }];
    }),
  );

  it.each(installed)('is understood: $event of $agent', ({ agent, moment, event }) => {
    // Of Gemini only a compaction that a person asked for counts.
    const trigger = { trigger: 'manual' };
    const payload = agent === 'opencode' ? { hook: event } : { hook_event_name: event, ...trigger };
    expect(dialectOf(agent)?.read(payload, undefined)).toMatchObject({ agent, moment, event });
    expect(dialectOf(agent)?.read(trigger, event)).toMatchObject({ agent, moment });
    expect(documentation[agent]).not.toEqual([]);
  });
});

describe('dialectOf', () => {
  it.each([undefined, '', 'Claude', '__proto__', 'toString'])('knows nobody called %s', (name) => {
    expect(dialectOf(name)).toBeUndefined();
  });
});
