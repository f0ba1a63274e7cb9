import type { JsonObject } from '../../base/json.ts';
import type { HookAnswer, HookCall, Moment } from '../call.ts';
import { folderOf, textOf, triggerOf } from '../fields.ts';
import { readTool } from '../tool.ts';
import type { Dialect } from './dialect.ts';
import { type Events, isAfter, readShared, writeShared } from './shared.ts';

/*
 * GitHub Copilot: the CLI, the coding agent, and VS Code.
 * https://docs.github.com/en/copilot/reference/hooks-reference,
 * https://docs.github.com/en/copilot/reference/copilot-cli-reference/cli-hooks-reference,
 * https://code.visualstudio.com/docs/agents/reference/hooks-reference
 *
 * | moment        | event                                  | of note in the payload                   | answer            |
 * |---------------|----------------------------------------|------------------------------------------|-------------------|
 * | session-start | sessionStart, SessionStart             | source: startup, new, resume             | additionalContext |
 * | pre-compact   | preCompact, PreCompact                 | trigger: manual, auto                    | none              |
 * | pre-tool      | preToolUse, PreToolUse                 | toolName (create, edit …), toolArgs      | additionalContext |
 * | pre-tool      | postToolUse, PostToolUse               | the same, and toolResult                 | additionalContext |
 * | prompt        | userPromptSubmitted, UserPromptSubmit  | prompt                                   | additionalContext |
 * | stop          | agentStop, Stop                        | stopReason                               | none              |
 * | subagent-stop | subagentStop, SubagentStop             | agentName, agentId, response             | none              |
 * | session-end   | sessionEnd, SessionEnd                 | reason: complete, error, abort, …        | none              |
 *
 * An event that is configured in camel case is sent in camel case, without its name: the hook is called with it, or it
 * is recognised by its members. One that is configured in Pascal case comes with the fields of Claude Code. Text is taken
 * by the newer versions, on the outside by one program and in `hookSpecificOutput` by the other; older ones pass over
 * both.
 */
export const copilot: Dialect = {
  agent: 'copilot',
  read: (payload, named) =>
    textOf(payload, 'hook_event_name') === undefined
      ? readCamel(payload, named)
      : readShared('copilot', events, payload, named),
  write: (answer, call) => (answer === undefined ? undefined : writeFor(answer, call)),
};

const events: Events = new Map([
  ['SessionStart', 'session-start'],
  ['PreCompact', 'pre-compact'],
  ['PreToolUse', 'pre-tool'],
  ['PostToolUse', 'pre-tool'],
  ['UserPromptSubmit', 'prompt'],
  ['Stop', 'stop'],
  ['SubagentStop', 'subagent-stop'],
  ['SessionEnd', 'session-end'],
]);

/** By the name in camel case, which the answer does not repeat. */
const pascalNames: ReadonlyMap<string, string> = new Map([
  ['sessionStart', 'SessionStart'],
  ['preCompact', 'PreCompact'],
  ['preToolUse', 'PreToolUse'],
  ['postToolUse', 'PostToolUse'],
  ['userPromptSubmitted', 'UserPromptSubmit'],
  ['agentStop', 'Stop'],
  ['subagentStop', 'SubagentStop'],
  ['sessionEnd', 'SessionEnd'],
]);

function readCamel(payload: JsonObject, named: string | undefined): HookCall | undefined {
  const event = named === undefined ? guessed(payload) : (pascalNames.get(named) ?? named);
  const moment = event === undefined ? undefined : events.get(event);
  if (event === undefined || moment === undefined) return undefined;
  return {
    agent: 'copilot',
    moment,
    event,
    session: textOf(payload, 'sessionId') ?? '',
    cwd: folderOf(payload, 'cwd'),
    ...partsOf(moment, event, payload),
  };
}

function partsOf(moment: Moment, event: string, payload: JsonObject): Partial<HookCall> {
  switch (moment) {
    case 'session-start': {
      const source = textOf(payload, 'source');
      return { source: source === undefined || source === 'new' ? 'startup' : source };
    }
    case 'pre-compact':
      return { trigger: triggerOf(payload) };
    case 'pre-tool':
      return { tool: readTool(textOf(payload, 'toolName') ?? '', payload.toolArgs, isAfter(event)) };
    case 'subagent-stop': {
      const id = textOf(payload, 'agentId');
      const type = textOf(payload, 'agentType', 'agentName');
      return { subagent: { id, type, message: textOf(payload, 'response') } };
    }
    case 'session-end':
      return { reason: textOf(payload, 'reason') };
    default:
      return {};
  }
}

/** No two events have the same members; those of tools that failed, and of errors, are none of ours. */
function guessed(payload: JsonObject): string | undefined {
  if ('error' in payload || 'notification_type' in payload) return undefined;
  if ('toolName' in payload) return 'toolResult' in payload ? 'PostToolUse' : 'PreToolUse';
  if ('trigger' in payload) return 'PreCompact';
  if ('stopReason' in payload) return 'agentName' in payload ? 'SubagentStop' : 'Stop';
  if ('prompt' in payload) return 'UserPromptSubmit';
  if ('source' in payload) return 'SessionStart';
  return 'reason' in payload ? 'SessionEnd' : undefined;
}

function writeFor(answer: HookAnswer, call: HookCall): JsonObject | undefined {
  const isTellable = ['session-start', 'pre-tool', 'prompt'].includes(call.moment);
  return isTellable ? { additionalContext: answer.context, ...writeShared(answer, call) } : undefined;
}
