import type { JsonObject } from '../../base/json.ts';
import type { AgentName } from '../../engine/agents/supports.ts';
import type { HookAnswer, HookCall, Moment } from '../call.ts';
import { folderOf, textOf, triggerOf } from '../fields.ts';
import { readTool } from '../tool.ts';

/* The names that Claude Code began with and that others have taken over. */

export type Events = ReadonlyMap<string, Moment>;

export function readShared(
  agent: AgentName,
  events: Events,
  payload: JsonObject,
  named: string | undefined,
): HookCall | undefined {
  const event = textOf(payload, 'hook_event_name') ?? named ?? '';
  const moment = events.get(event);
  if (moment === undefined) return undefined;
  const call: HookCall = {
    agent,
    moment,
    event,
    session: textOf(payload, 'session_id') ?? '',
    cwd: folderOf(payload, 'cwd'),
  };
  switch (moment) {
    case 'session-start':
      return { ...call, source: textOf(payload, 'source') ?? 'startup' };
    case 'pre-compact':
      return { ...call, trigger: triggerOf(payload) };
    case 'pre-tool':
      return {
        ...call,
        tool: readTool(textOf(payload, 'tool_name') ?? '', payload.tool_input, isAfter(event)),
      };
    case 'stop':
      return { ...call, stopHookActive: payload.stop_hook_active === true };
    case 'subagent-stop': {
      const subagent = {
        id: textOf(payload, 'agent_id'),
        type: textOf(payload, 'agent_type', 'agent_name'),
        message: textOf(payload, 'last_assistant_message'),
      };
      return { ...call, subagent, stopHookActive: payload.stop_hook_active === true };
    }
    case 'session-end':
      return { ...call, reason: textOf(payload, 'reason') };
    case 'prompt':
      return call;
  }
}

/** The two words in which agents name what comes after a tool. */
export function isAfter(event: string): boolean {
  return /^(post|after)|\.after$/i.test(event);
}

/** Text for the model, at the moments that take it. Exactly this shape: Codex refuses an answer with a member more. */
export function writeShared({ context }: HookAnswer, { event }: HookCall): JsonObject {
  return { hookSpecificOutput: { hookEventName: event, additionalContext: context } };
}
