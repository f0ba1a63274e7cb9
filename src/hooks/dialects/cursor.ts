import type { JsonObject } from '../../base/json.ts';
import type { HookAnswer, HookCall } from '../call.ts';
import { folderOf, isFolder, percentOf, textOf, triggerOf } from '../fields.ts';
import { readTool } from '../tool.ts';
import type { Dialect } from './dialect.ts';
import { type Events, isAfter } from './shared.ts';

/*
 * Cursor. https://cursor.com/docs/hooks
 *
 * | moment        | event              | of note in the payload                               | answer               |
 * |---------------|--------------------|------------------------------------------------------|----------------------|
 * | session-start | sessionStart       | session_id, composer_mode; no source                 | additional_context   |
 * | pre-compact   | preCompact         | trigger, context_usage_percent                       | none                 |
 * | pre-tool      | postToolUse        | tool_name (Write …), tool_input, cwd                 | additional_context   |
 * | pre-tool      | preToolUse         | the same                                             | permission: allow, … |
 * | prompt        | beforeSubmitPrompt | prompt                                               | continue: true, …    |
 * | stop          | stop               | status, loop_count                                   | none                 |
 * | subagent-stop | subagentStop       | subagent_id, subagent_type, summary                  | none                 |
 * | session-end   | sessionEnd         | reason: completed, aborted, error, window_close, …   | none                 |
 *
 * All have conversation_id, hook_event_name and workspace_roots. `preToolUse` is a gate: some versions hold a tool up
 * whose hook says nothing, so every write is answered, with words or without. The documented place for words there is
 * `agent_message`, and there is none at `beforeSubmitPrompt`; newer versions take `additional_context` at both, and
 * older ones pass over it.
 */
export const cursor: Dialect = { agent: 'cursor', read: readCursor, write: writeCursor };

const events: Events = new Map([
  ['sessionStart', 'session-start'],
  ['preCompact', 'pre-compact'],
  ['postToolUse', 'pre-tool'],
  ['preToolUse', 'pre-tool'],
  ['beforeSubmitPrompt', 'prompt'],
  ['stop', 'stop'],
  ['subagentStop', 'subagent-stop'],
  ['sessionEnd', 'session-end'],
]);

function readCursor(payload: JsonObject, named: string | undefined): HookCall | undefined {
  const event = textOf(payload, 'hook_event_name') ?? named ?? '';
  const moment = events.get(event);
  if (moment === undefined) return undefined;
  const roots = Array.isArray(payload.workspace_roots) ? payload.workspace_roots : [];
  const call: HookCall = {
    agent: 'cursor',
    moment,
    event,
    // A session has one conversation; events of subagents may have a conversation of their own.
    session: textOf(payload, 'parent_conversation_id', 'conversation_id', 'session_id') ?? '',
    cwd: folderOf(payload, 'cwd') ?? roots.find(isFolder),
  };
  switch (moment) {
    case 'session-start':
      return { ...call, source: 'startup' };
    case 'pre-compact':
      return { ...call, trigger: triggerOf(payload), fill: percentOf(payload.context_usage_percent) };
    case 'pre-tool':
      return {
        ...call,
        tool: readTool(textOf(payload, 'tool_name') ?? '', payload.tool_input, isAfter(event)),
      };
    case 'subagent-stop': {
      const id = textOf(payload, 'subagent_id');
      const type = textOf(payload, 'subagent_type');
      return { ...call, subagent: { id, type, message: textOf(payload, 'summary') } };
    }
    case 'session-end':
      return { ...call, reason: textOf(payload, 'reason') };
    default:
      return call;
  }
}

function writeCursor(answer: HookAnswer | undefined, call: HookCall): JsonObject | undefined {
  const context = answer?.context;
  switch (call.moment) {
    case 'session-start':
      return context === undefined ? undefined : { additional_context: context };
    case 'prompt':
      return context === undefined ? undefined : { continue: true, additional_context: context };
    case 'pre-tool':
      if (call.event === 'postToolUse')
        return context === undefined ? undefined : { additional_context: context };
      // Of other tools it is not ours to say that they may be used.
      if (call.tool === undefined || call.tool.writes.length === 0) return undefined;
      return context === undefined
        ? { permission: 'allow' }
        : { permission: 'allow', agent_message: context, additional_context: context };
    default:
      return undefined;
  }
}
