import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Notes } from './notes.ts';
import {
  filled,
  isNothing,
  isWordForNothing,
  type NameTable,
  onlyMember,
  withIds,
  withNames,
} from './values.ts';

/**
 * `agent_summaries`: one line for each agent, as a list of `agent: line` or of maps, becomes a map. All of it or nothing:
 * what is more than a line has no place in a map of lines.
 */
export function migrateSummaries(value: JsonValue | undefined, notes: Notes): JsonValue {
  const path = 'agent_summaries';
  if (isNothing(value) || isWordForNothing(value)) {
    notes.changes.push({ code: 'added', path, value: {} });
    return {};
  }
  if (isJsonObject(value)) return linesOf(value, notes);
  if (!Array.isArray(value)) return value;
  const lines = value.map(lineOf);
  const byAgent = new Map<string, string>();
  for (const line of lines) {
    if (line === undefined) return value;
    const [agent, text] = line;
    const before = byAgent.get(agent);
    if (before !== undefined && before !== text) {
      notes.contradictions.push({ code: 'agent-twice', agent });
      return value;
    }
    byAgent.set(agent, text);
  }
  notes.changes.push({ code: 'reshaped', path });
  return Object.fromEntries(byAgent);
}

function linesOf(map: JsonObject, notes: Notes): JsonObject {
  return Object.fromEntries(
    Object.entries(map).map(([agent, said]) => {
      const line = isJsonObject(said) ? textOf(said) : undefined;
      if (line === undefined) return [agent, said];
      notes.changes.push({ code: 'reshaped', path: `agent_summaries.${agent}` });
      return [agent, line];
    }),
  );
}

function lineOf(entry: JsonValue): readonly [string, string] | undefined {
  if (typeof entry === 'string') {
    const [, agent, text] = /^([^\s:]{1,200})\s*:\s+(\S.*)$/s.exec(entry) ?? [];
    return agent === undefined || text === undefined ? undefined : [agent, text];
  }
  if (!isJsonObject(entry)) return undefined;
  const [key, only] = onlyMember(entry) ?? [];
  if (key !== undefined && typeof only === 'string') return [key, only];
  const named = agentKeys.filter((name) => typeof entry[name] === 'string' && entry[name] !== '');
  const [agentKey] = named;
  if (agentKey === undefined || named.length > 1) return undefined;
  const { [agentKey]: agent, ...rest } = entry;
  const text = textOf(rest);
  return text === undefined ? undefined : [String(agent), text];
}

/** `{ summary }`, or `{ status, summary }`, which a line says as `DONE. 403 files modified.` */
function textOf(said: JsonObject): string | undefined {
  const texts = Object.entries(said);
  const [summary, second] = texts.filter(([key]) => summaryKeys.includes(key)).map(([, text]) => text);
  if (typeof summary !== 'string' || second !== undefined) return undefined;
  if (texts.length === 1) return summary;
  const { status } = said;
  if (texts.length !== 2 || typeof status !== 'string') return undefined;
  return `${status.replace(/\.$/, '')}. ${summary}`;
}

const agentKeys: readonly string[] = ['agent', 'agent_id', 'id', 'name'];
const summaryKeys: readonly string[] = ['summary', 'text', 'result', 'line'];

/** `compaction_events`: a bare list and a bare number become what they are short for. */
export function migrateCompactions(value: JsonValue | undefined, notes: Notes): JsonValue {
  const found = asMap(value, notes);
  if (!isJsonObject(found)) return found;
  const { events } = found;
  const migrated = Array.isArray(events) ? { ...found, events: migrateEvents(events, notes) } : found;
  const list = isNothing(events) ? [] : events;
  const length = Array.isArray(list) ? list.length : 0;
  // The length of the list is the count; without a list the count is unknown.
  const known = Array.isArray(events) && found.count === undefined ? length : null;
  const whole = filled(migrated, { count: known, events: [] }, path, notes);
  const { count } = whole;
  if (typeof count === 'number' && Array.isArray(list) && count !== length)
    notes.contradictions.push({ code: 'count-and-list', path, count, length });
  return whole;
}

const path = 'compaction_events';

function asMap(value: JsonValue | undefined, notes: Notes): JsonValue {
  if (isNothing(value)) return {};
  if (isWordForNothing(value)) return { events: [] };
  const isCount = typeof value === 'number' && Number.isInteger(value) && value >= 0;
  const isList = Array.isArray(value);
  if (isCount || isList) notes.changes.push({ code: 'reshaped', path });
  if (isCount) return { count: value, events: [] };
  return isList ? { count: value.length, events: value } : value;
}

const names: NameTable = { timestamp: ['time', 'at'] };

const emptyEvent: JsonObject = {
  estimated_fill_before: null,
  active_phase: null,
  active_gate: null,
  active_gate_iteration: null,
  checkpoint_file: '',
  acknowledged: false,
};

/** What has a time is a compaction. Where one has none it may stand for several, and none is counted. */
function migrateEvents(events: readonly JsonValue[], notes: Notes): readonly JsonValue[] {
  const hasTime = (event: JsonValue): event is JsonObject =>
    isJsonObject(event) && ['timestamp', 'time', 'at'].some((key) => !isNothing(event[key]));
  if (!events.every(hasTime)) return events;
  const pathOf = (index: number) => `${path}.events[${index}]`;
  const named = events.map((event, index) => withNames(event, names, pathOf(index), notes));
  return withIds(named, 'CX', pathOf, notes).map((event, index) =>
    filled(event, emptyEvent, pathOf(index), notes),
  );
}
