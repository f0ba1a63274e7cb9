import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Notes } from './notes.ts';
import { asPart, asTexts, filled, mapped } from './values.ts';

/** `quality_trajectory`: what the gates said. */
export function migrateTrajectory(value: JsonValue | undefined, notes: Notes): JsonValue {
  const path = 'quality_trajectory';
  const found = asPart(value);
  if (!isJsonObject(found)) return found;
  const texts = (list: JsonValue, at: string) => asTexts(list, at, notes);
  const spelled = mapped(
    found,
    {
      gates_completed: texts,
      gates_remaining: texts,
      score_history: (history, at) => (isJsonObject(history) ? scoresByGate(history, at, notes) : history),
    },
    path,
  );
  tellGates(spelled, notes);
  return filled(
    spelled,
    {
      gates_completed: null,
      gates_remaining: null,
      current_gate: null,
      current_gate_iteration: null,
      score_history: null,
      lowest_dimension: null,
      // Each iteration appends a score; without a history the count is unknown.
      total_iterations_used: countScores(spelled.score_history),
    },
    path,
    notes,
  );
}

/** `defect_summary`: what the gates found. */
export function migrateDefects(value: JsonValue | undefined, notes: Notes): JsonValue {
  const path = 'defect_summary';
  const found = asPart(value);
  if (!isJsonObject(found)) return found;
  const spelled = mapped(
    found,
    {
      unresolved_defects: (list, at) => asTexts(list, at, notes),
      recurring_patterns: (list, at) => {
        const patterns = asTexts(list, at, notes);
        if (!Array.isArray(patterns)) return patterns;
        return patterns.map((pattern, index) => asPattern(pattern, `${at}[${index}]`, notes));
      },
    },
    path,
  );
  const { total_defects_resolved: resolved, total_defects_found: all } = spelled;
  if (typeof resolved === 'number' && typeof all === 'number' && resolved > all)
    notes.contradictions.push({ code: 'more-resolved-than-found', resolved, found: all });
  return filled(
    spelled,
    {
      total_defects_found: null,
      total_defects_resolved: null,
      unresolved_defects: null,
      recurring_patterns: [],
      last_gate_primary_defect: null,
    },
    path,
    notes,
  );
}

/** `QG-1: 0.92` is a list of one. */
function scoresByGate(history: JsonObject, path: string, notes: Notes): JsonObject {
  return Object.fromEntries(
    Object.entries(history).map(([gate, scores]) => {
      if (typeof scores !== 'number') return [gate, scores];
      notes.changes.push({ code: 'reshaped', path: `${path}.${gate}` });
      return [gate, [scores]];
    }),
  );
}

/** Null where the history is empty or holds anything but lists: that says nothing about how many there were. */
function countScores(history: JsonValue | undefined): number | null {
  const lists: readonly JsonValue[] = isJsonObject(history) ? Object.values(history) : [];
  if (lists.length === 0 || !lists.every((scores) => Array.isArray(scores))) return null;
  return lists.reduce((count, { length }) => count + length, 0);
}

function tellGates({ gates_completed: done, gates_remaining: open }: JsonObject, notes: Notes): void {
  if (!Array.isArray(done) || !Array.isArray(open)) return;
  const completed = new Set<JsonValue>(done);
  for (const gate of new Set<JsonValue>(open))
    if (typeof gate === 'string' && completed.has(gate))
      notes.contradictions.push({ code: 'gate-completed-and-remaining', gate });
}

function asPattern(pattern: JsonValue, path: string, notes: Notes): JsonValue {
  if (typeof pattern === 'string') {
    notes.changes.push({ code: 'reshaped', path });
    return { pattern, resolution: null };
  }
  // Without a pattern it is something else, to which nothing is added.
  if (!isJsonObject(pattern) || typeof pattern.pattern !== 'string') return pattern;
  return filled(pattern, { pattern: '', resolution: null }, path, notes);
}
