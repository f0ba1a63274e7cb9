import type { Moment } from '../call.ts';
import type { Dialect } from './dialect.ts';
import { type Events, readShared, writeShared } from './shared.ts';

/*
 * Claude Code. https://code.claude.com/docs/en/hooks, https://code.claude.com/docs/en/statusline
 *
 * | moment        | event            | of note in the payload                                    | answer            |
 * |---------------|------------------|-----------------------------------------------------------|-------------------|
 * | session-start | SessionStart     | source: startup, resume, clear, compact, fork             | additionalContext |
 * | pre-compact   | PreCompact       | trigger: manual, auto                                     | none              |
 * | pre-tool      | PreToolUse       | tool_name, tool_input                                     | additionalContext |
 * | prompt        | UserPromptSubmit | prompt                                                    | additionalContext |
 * | stop          | Stop             | stop_hook_active, last_assistant_message                  | none              |
 * | subagent-stop | SubagentStop     | agent_id, agent_type, last_assistant_message              | none              |
 * | session-end   | SessionEnd       | reason: clear, resume, logout, prompt_input_exit, other … | none              |
 *
 * All have session_id, cwd (which follows the agent's `cd`) and hook_event_name. `additionalContext` stands in
 * `hookSpecificOutput` beside the event's name, and is cut at 10,000 characters. PreCompact has no such output: its
 * answer would be refused as a whole.
 */
export const claude: Dialect = {
  agent: 'claude',
  read: (payload, event) => readShared('claude', claudeEvents, payload, event),
  write: (answer, call) =>
    answer !== undefined && tellable.has(call.moment) ? writeShared(answer, call) : undefined,
};

export const claudeEvents: Events = new Map([
  ['SessionStart', 'session-start'],
  ['PreCompact', 'pre-compact'],
  ['PreToolUse', 'pre-tool'],
  ['UserPromptSubmit', 'prompt'],
  ['Stop', 'stop'],
  ['SubagentStop', 'subagent-stop'],
  ['SessionEnd', 'session-end'],
]);

const tellable: ReadonlySet<Moment> = new Set(['session-start', 'pre-tool', 'prompt']);
