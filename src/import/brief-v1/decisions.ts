import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { attempt, type Notes } from './notes.ts';
import {
  filled,
  isNothing,
  isWordForNothing,
  mapped,
  type NameTable,
  readId,
  respelled,
  withIds,
  withNames,
} from './values.ts';

/** `decision_log`: texts, maps by id and entries without ids become entries; ids are counted on. */
export function migrateDecisions(value: JsonValue | undefined, notes: Notes): JsonValue {
  if (isNothing(value) || isWordForNothing(value)) {
    notes.changes.push({ code: 'added', path, value: [] });
    return [];
  }
  const entries = attempt(notes, (draft) => asEntries(value, draft));
  if (entries === undefined) return value;
  return withIds(entries, 'RD', pathOf, notes).map((entry, index) => migrateEntry(entry, index, notes));
}

const path = 'decision_log';
const pathOf = (index: number) => `${path}[${index}]`;

const names: NameTable = {
  decision: ['what', 'text', 'description', 'summary', 'title'],
  rationale: ['reason', 'why', 'because'],
  affects_phases: ['affects', 'phases', 'affected_phases'],
};

/** A decision counts as applied only if it is marked as applied. */
const emptyEntry: JsonObject = {
  gate: null,
  iteration: null,
  rationale: null,
  affects_phases: [],
  applied: false,
};

/** One that cannot be read would be left out of the count: then none is. */
function asEntries(value: JsonValue, notes: Notes): readonly JsonObject[] | undefined {
  const list = isJsonObject(value) ? listOfMap(value, notes) : value;
  if (!Array.isArray(list)) return undefined;
  const entries: JsonObject[] = [];
  for (const [index, item] of list.entries()) {
    const entry = asEntry(item, pathOf(index), notes);
    if (entry === undefined) return undefined;
    entries.push(entry);
  }
  return entries;
}

/** `RD-001: CSV only`, or `RD-001: { decision: … }`, if all of it is like that. */
function listOfMap(map: JsonObject, notes: Notes): JsonValue {
  const entries = Object.entries(map);
  const isLog = entries.every(
    ([id, entry]) =>
      typeof readId('RD', id) === 'string' &&
      (typeof entry === 'string' || (isJsonObject(entry) && !Object.hasOwn(entry, 'id'))),
  );
  if (!isLog) return map;
  notes.changes.push({ code: 'reshaped', path });
  return entries.map(([id, entry]) => ({ id, ...(isJsonObject(entry) ? entry : { decision: entry }) }));
}

function asEntry(entry: JsonValue, at: string, notes: Notes): JsonObject | undefined {
  if (typeof entry === 'string' && entry !== '') {
    notes.changes.push({ code: 'reshaped', path: at });
    const [, id, decision] = /^(RD[\s_-]?\d{1,9})\s*[:–—-]\s+(\S.*)$/is.exec(entry) ?? [];
    return id === undefined || decision === undefined ? { decision: entry } : { id, decision };
  }
  if (!isJsonObject(entry)) return undefined;
  const named = withNames(entry, names, at, notes);
  return typeof named.decision === 'string' ? named : undefined;
}

function migrateEntry(entry: JsonObject, index: number, notes: Notes): JsonObject {
  const spelled = mapped(
    entry,
    {
      affects_phases: (phases, at) => asPhases(phases, at, notes),
      applied: (applied, at) => respelled(applied, readTruth, at, notes),
    },
    pathOf(index),
  );
  return filled(spelled, emptyEntry, pathOf(index), notes);
}

function asPhases(value: JsonValue, at: string, notes: Notes): JsonValue {
  if (typeof value !== 'number' && typeof value !== 'string') return value;
  notes.changes.push({ code: 'reshaped', path: at });
  return isNothing(value) || isWordForNothing(value) ? [] : [value];
}

function readTruth(value: JsonValue): boolean | undefined {
  if (typeof value !== 'string') return undefined;
  const word = value.trim().toLowerCase();
  if (word === 'yes' || word === 'true') return true;
  return word === 'no' || word === 'false' ? false : undefined;
}
