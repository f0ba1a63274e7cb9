import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { HookAnswer, HookCall, Moment } from '../call.ts';
import { folderOf, objectOf, textOf, triggerOf } from '../fields.ts';
import { readTool } from '../tool.ts';
import type { Dialect } from './dialect.ts';
import { type Events, isAfter } from './shared.ts';

/*
 * opencode. https://opencode.ai/docs/plugins
 *
 * It has no hooks that are commands: a plugin, which `pawl agents install opencode` writes, passes on its events,
 * and puts the answer `{ "context": "…" }` where it has a place.
 *
 * | moment        | event                           | the plugin passes on   | where the answer goes                  |
 * |---------------|---------------------------------|------------------------|----------------------------------------|
 * | session-start | session.created                 | sessionID              | among the words of the system          |
 * | session-start | session.compacted               | sessionID              | among the words of the system          |
 * | pre-compact   | experimental.session.compacting | sessionID              | nowhere                                |
 * | pre-tool      | tool.execute.before             | sessionID, tool, args  | the output of the tool, when it is done |
 * | pre-tool      | tool.execute.after              | sessionID, tool, args  | the output of the tool                 |
 * | prompt        | chat.message                    | sessionID              | a part of the message                  |
 * | stop          | session.idle                    | the event              | nowhere                                |
 * | session-end   | session.deleted                 | the event              | nowhere                                |
 *
 * The payload is `{ "hook": NAME, "directory": FOLDER, … }` with the members above, or with `event` as opencode gives
 * it: `{ "type": NAME, "properties": { … } }`. Sessions that have a parent are subagents: they get no answer.
 */
export const opencode: Dialect = {
  agent: 'opencode',
  read: readOpencode,
  write: (answer, call) => (answer === undefined ? undefined : writeFor(answer, call)),
};

const events: Events = new Map([
  ['session.created', 'session-start'],
  ['session.compacted', 'session-start'],
  ['experimental.session.compacting', 'pre-compact'],
  ['tool.execute.before', 'pre-tool'],
  ['tool.execute.after', 'pre-tool'],
  ['chat.message', 'prompt'],
  ['session.idle', 'stop'],
  ['session.deleted', 'session-end'],
]);

function readOpencode(payload: JsonObject, named: string | undefined): HookCall | undefined {
  const sent = objectOf(payload, 'event') ?? {};
  const event = textOf(sent, 'type') ?? textOf(payload, 'hook', 'event') ?? named ?? '';
  const moment = events.get(event);
  if (moment === undefined) return undefined;
  const properties = objectOf(sent, 'properties') ?? {};
  const info = objectOf(properties, 'info') ?? {};
  if (textOf(info, 'parentID') !== undefined) return undefined;
  const session = textOf(payload, 'sessionID') ?? textOf(properties, 'sessionID') ?? textOf(info, 'id') ?? '';
  const cwd = folderOf(payload, 'directory', 'cwd') ?? folderOf(info, 'directory');
  const call: HookCall = { agent: 'opencode', moment, event, session, cwd };
  return { ...call, ...partsOf(moment, event, payload) };
}

function partsOf(moment: Moment, event: string, payload: JsonObject): Partial<HookCall> {
  switch (moment) {
    case 'session-start':
      return { source: event === 'session.compacted' ? 'compact' : 'startup' };
    case 'pre-compact':
      return { trigger: triggerOf(payload) };
    case 'pre-tool': {
      const given = isJsonObject(payload.args) ? payload.args : undefined;
      return { tool: readTool(textOf(payload, 'tool') ?? '', given, isAfter(event)) };
    }
    case 'session-end':
      return { reason: 'deleted' };
    default:
      return {};
  }
}

function writeFor(answer: HookAnswer, { moment }: HookCall): JsonObject | undefined {
  const isTellable = moment === 'session-start' || moment === 'pre-tool' || moment === 'prompt';
  return isTellable ? { context: answer.context } : undefined;
}
