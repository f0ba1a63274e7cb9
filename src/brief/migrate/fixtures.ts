import { expect } from 'vitest';
import { parse } from 'yaml';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { readId } from './ids.ts';
import { type Migration, migrateSection } from './migrate.ts';
import { isSameName, readPhaseNumber } from './phase.ts';
import { readState } from './state-prose.ts';
import { isNothing, isWordForNothing } from './values.ts';

/** Migrates a section, and proves what holds of every migration. */
export function proven(section: JsonObject, phases: readonly string[] = []): Migration {
  const before = JSON.stringify(section);
  const first = migrateSection(section, { phases });
  expect(JSON.stringify(section)).toBe(before);
  const again = migrateSection(first.section, { phases });
  expect(again.section).toBe(first.section);
  expect(again).toEqual({ ...first, from: again.from, changes: [] });
  if (first.changes.length === 0) expect(first.section).toBe(section);
  expect(lostIn(section, first.section, phases)).toEqual([]);
  return first;
}

/** The same of YAML. */
export function migrated(text: string, phases: readonly string[] = []): Migration {
  return proven((parse(text) ?? {}) as JsonObject, phases);
}

/** The section that YAML becomes, which is then as version 2 has it. */
export function valid(text: string, phases: readonly string[] = []): JsonObject {
  const migration = migrated(text, phases);
  expect(migration.problems).toEqual([]);
  expect(migrateSection(migration.section, { phases }).from).toBe(2);
  return migration.section;
}

export const stateOf = (text: string, phases: readonly string[] = []) =>
  valid(text, phases).recovery_state as JsonObject;

export const contradictionsIn = (text: string, phases: readonly string[] = []) =>
  migrated(text, phases).contradictions;

export const problemsIn = (text: string) =>
  migrated(text).problems.map(({ path, problem }) => `${path} ${problem}`);

/** A section of which nothing is known. */
export const empty = {
  recovery_state: {
    last_checkpoint: null,
    current_phase: null,
    current_phase_name: null,
    workflow_status: '',
    current_activity: '',
    next_step: '',
    context_fill_at_update: null,
    updated_at: null,
  },
  files_to_read: [],
  quality_trajectory: {
    gates_completed: null,
    gates_remaining: null,
    current_gate: null,
    current_gate_iteration: null,
    score_history: null,
    lowest_dimension: null,
    total_iterations_used: null,
  },
  defect_summary: {
    total_defects_found: null,
    total_defects_resolved: null,
    unresolved_defects: null,
    recurring_patterns: [],
    last_gate_primary_defect: null,
  },
  decision_log: [],
  agent_summaries: {},
  compaction_events: { count: null, events: [] },
};

/** Every scalar of a section that is nowhere in another one: as it is, in another spelling, or as part of a text. */
export function lostIn(before: JsonValue, after: JsonValue, phases: readonly string[]): JsonValue[] {
  const there = new Set(scalarsOf(after, true));
  const texts = [...there].filter((value) => typeof value === 'string');
  const isIn = (value: JsonValue) =>
    there.has(value) ||
    (typeof value === 'string' && texts.some((text) => text.includes(value) || isSameName(text, value)));
  return scalarsOf(before, false).filter(
    (value) =>
      !(isNothing(value) || isWordForNothing(value)) &&
      !isIn(value) &&
      !spellingsOf(value, phases).some((parts) => parts.every(isIn)),
  );
}

function scalarsOf(value: JsonValue, withKeys: boolean): JsonValue[] {
  if (Array.isArray(value)) return value.flatMap((item) => scalarsOf(item, withKeys));
  if (!isJsonObject(value)) return [value];
  return Object.entries(value).flatMap(([key, item]) => [
    ...(withKeys ? [key] : []),
    ...scalarsOf(item, withKeys),
  ]);
}

/** What may stand for a value; each of them in parts, all of which have to be there. */
function spellingsOf(value: JsonValue, phases: readonly string[]): (readonly JsonValue[])[] {
  const single = [
    ...(['CP', 'RD', 'CX'] as const).map((prefix) => readId(prefix, value)),
    readPhaseNumber(value),
    ...(typeof value === 'string' ? [numberIn(value), truths.get(value.toLowerCase())] : []),
  ].filter((other) => other !== undefined && other !== null);
  const parts = typeof value === 'string' ? [...linesOf(value), stateParts(value, phases)] : [];
  return [...single.map((other) => [other]), ...parts.filter((found) => found.length > 0)];
}

const truths = new Map([
  ['yes', true],
  ['true', true],
  ['no', false],
  ['false', false],
]);

function numberIn(text: string): number | undefined {
  const digits = /^\s*P?(\d+(?:\.\d+)?)\s*%?\s*$/i.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** `agent: line`, `RD-1: decision`. */
function linesOf(text: string): (readonly JsonValue[])[] {
  const [, name, line = ''] = /^(\S+?)\s*[:–—-]\s+(\S.*)$/s.exec(text) ?? [];
  return name === undefined
    ? []
    : [
        [name, line],
        [readId('RD', name) ?? name, line],
      ];
}

/** All but the status, which a field may have in other words. */
function stateParts(prose: string, phases: readonly string[]): JsonValue[] {
  const { phase, name, activity, isWhole } = readState(prose, phases);
  return isWhole ? [phase, name, activity].filter((part) => part !== undefined) : [];
}
