import type { JsonObject } from '../../base/json.ts';
import type { HookAnswer, HookCall } from '../call.ts';
import type { Dialect } from './dialect.ts';
import { type Events, readShared, writeShared } from './shared.ts';

/*
 * Gemini CLI. https://geminicli.com/docs/hooks/reference
 *
 * | moment        | event        | of note in the payload                        | answer                            |
 * |---------------|--------------|-----------------------------------------------|-----------------------------------|
 * | session-start | SessionStart | source: startup, resume, clear                | additionalContext                 |
 * | pre-compact   | PreCompress  | trigger: manual, auto                         | none                              |
 * | pre-tool      | BeforeTool   | tool_name (write_file, replace), tool_input   | systemMessage: only people see it |
 * | pre-tool      | AfterTool    | the same, and tool_response                   | additionalContext                 |
 * | prompt        | BeforeAgent  | prompt                                        | additionalContext                 |
 * | stop          | AfterAgent   | stop_hook_active, prompt_response             | none                              |
 * | session-end   | SessionEnd   | reason: exit, clear, logout, …; not awaited   | none                              |
 *
 * `PreCompress` with the trigger `auto` comes before every call of the model, before Gemini checks whether there is
 * anything to compress. It proves no compaction, so only `manual` counts: a missed one is better than a false one.
 *
 * There is no event for the end of a subagent, and none after a compaction. Before a tool is used the model can only be
 * refused it: so the hook belongs behind it (AfterTool), where the model gets the text beside the result.
 */
export const gemini: Dialect = {
  agent: 'gemini',
  read: readGemini,
  write: (answer, call) => (answer === undefined ? undefined : writeFor(answer, call)),
};

const events: Events = new Map([
  ['SessionStart', 'session-start'],
  ['PreCompress', 'pre-compact'],
  ['BeforeTool', 'pre-tool'],
  ['AfterTool', 'pre-tool'],
  ['BeforeAgent', 'prompt'],
  ['AfterAgent', 'stop'],
  ['SessionEnd', 'session-end'],
]);

function readGemini(payload: JsonObject, named: string | undefined): HookCall | undefined {
  const call = readShared('gemini', events, payload, named);
  return call?.moment === 'pre-compact' && call.trigger !== 'manual' ? undefined : call;
}

function writeFor(answer: HookAnswer, call: HookCall): JsonObject | undefined {
  switch (call.event) {
    case 'SessionStart':
    case 'AfterTool':
    case 'BeforeAgent':
      return writeShared(answer, call);
    case 'BeforeTool':
      return { systemMessage: answer.context };
    default:
      return undefined;
  }
}
