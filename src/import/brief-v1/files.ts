import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { attempt, type Notes } from './notes.ts';
import {
  asTexts,
  filled,
  isNothing,
  isWordForNothing,
  mapped,
  type NameTable,
  onlyMember,
  respelled,
  withNames,
} from './values.ts';

/** Paths stay paths; entries get the names and the fields of version 2. */
export function migrateFiles(value: JsonValue | undefined, notes: Notes): JsonValue {
  const path = 'files_to_read';
  if (value === undefined || value === null) {
    notes.changes.push({ code: 'added', path, value: [] });
    return [];
  }
  const list = isJsonObject(value) ? listOfMap(value, notes) : asTexts(value, path, notes);
  if (!Array.isArray(list)) return list;
  const isSaid = (entry: JsonValue, index: number) => {
    if (entry !== null) return true;
    notes.changes.push({ code: 'removed', path: `${path}[${index}]`, because: 'empty' });
    return false;
  };
  return list.filter(isSaid).map((entry, index) => migrateFile(entry, index, notes));
}

/** What others call the fields of an entry. */
const names: NameTable = {
  path: ['file', 'file_path', 'filepath', 'filename'],
  priority: ['order', 'rank'],
  purpose: ['reason', 'why', 'description', 'note', 'notes'],
  sections: ['section'],
};

/** `{ PLAN.md: the plan }`, if all of it is like that. */
function listOfMap(map: JsonObject, notes: Notes): JsonValue {
  const entries = Object.entries(map);
  if (!entries.every(([key, value]) => looksLikePath(key) && typeof value === 'string')) return map;
  notes.changes.push({ code: 'reshaped', path: 'files_to_read' });
  return entries.map(([path, purpose]) => ({ path, purpose }));
}

function migrateFile(entry: JsonValue, index: number, notes: Notes): JsonValue {
  if (!isJsonObject(entry)) return entry;
  const at = `files_to_read[${index}]`;
  const named = attempt(notes, (draft) => {
    const found = withNames(asEntry(entry, at, draft), names, at, draft);
    return isNothing(found.path) ? undefined : found;
  });
  if (named === undefined) return entry;
  const spelled = mapped(
    named,
    {
      priority: (value, path) => respelled(value, readPriority, path, notes),
      sections: (value, path) => asTexts(value, path, notes),
    },
    at,
  );
  // Without priorities the order of the list is the order of reading.
  return filled(spelled, { path: '', priority: index + 1, purpose: '', sections: [] }, at, notes);
}

/** `- PLAN.md: the plan` is a map of one. */
function asEntry(entry: JsonObject, at: string, notes: Notes): JsonObject {
  const [key = '', value] = onlyMember(entry) ?? [];
  if (!looksLikePath(key) || typeof value !== 'string') return entry;
  notes.changes.push({ code: 'reshaped', path: at });
  return { path: key, purpose: value };
}

function looksLikePath(text: string): boolean {
  return /[./\\]/.test(text) && !/\s/.test(text);
}

function readPriority(value: JsonValue): JsonValue | undefined {
  if (isWordForNothing(value)) return null;
  const digits = typeof value === 'string' ? /^\s*P?(\d{1,4})\s*$/i.exec(value)?.[1] : undefined;
  return digits === undefined ? undefined : Number(digits);
}
