import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { withIds } from './ids.ts';
import type { Notes } from './notes.ts';
import { filled, isNothing, isWordForNothing, type NameTable, withNames } from './values.ts';

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
