import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { type SectionName, sectionNames } from '../../projections/brief/document.ts';
import { type BriefProblem, problemsOf } from '../../projections/brief/schema.ts';
import { tellContradictions } from './contradictions.ts';
import { migrateDecisions } from './decisions.ts';
import { migrateFiles } from './files.ts';
import { emptyPlaces, keptKeys } from './kept.ts';
import { type Change, type Contradiction, type Notes, takeNotes, type Warning } from './notes.ts';
import { migrateDefects, migrateTrajectory } from './quality.ts';
import { isOldKey, migrateRecovery } from './recovery.ts';
import { migrateCompactions, migrateSummaries } from './summaries.ts';
import { type NameTable, withNames } from './values.ts';

/** A section as version 2 has it, and everything that there is to say about how it came about. */
export interface Migration {
  /** 2: nothing of version 1 was to be moved. */
  readonly from: 1 | 2;
  /** The very section that was given where there are no changes. */
  readonly section: JsonObject;
  readonly changes: readonly Change[];
  readonly contradictions: readonly Contradiction[];
  readonly warnings: readonly Warning[];
  /** Keys that the format does not know, and old ones that contradict: they stay where they were. */
  readonly kept: readonly string[];
  /** Values that version 2 does not allow: they stay as written, because their meaning is unclear. */
  readonly problems: readonly BriefProblem[];
}

export interface MigrateOptions {
  /** The names of all phases in their order, where a pipeline is known. */
  readonly phases?: readonly string[];
}

/**
 * From version 1 to version 2, as `docs/formats/brief-v1.md` says. Doing it twice is doing it once. Nothing is guessed, and
 * nothing is lost: every value is at its place, at its new place, or kept.
 */
export function migrateSection(section: JsonObject, { phases = [] }: MigrateOptions = {}): Migration {
  const notes = takeNotes();
  const members = new Map(Object.entries(withNames(section, otherNames, '', notes)));
  migrateRecovery(members, phases, notes);
  for (const [name, migratePart] of parts) members.set(name, migratePart(members.get(name), notes));
  const { changes, contradictions } = notes;
  const migrated = changes.length === 0 ? section : inOrder(members, section);
  tellContradictions(migrated, notes);
  return {
    from: isJsonObject(section.recovery_state) && !changes.some(isFromOldPlace) ? 2 : 1,
    section: migrated,
    changes,
    contradictions,
    warnings: emptyPlaces(migrated),
    kept: keptKeys(migrated),
    problems: problemsOf(migrated),
  };
}

/** What other dialects call the parts. */
const otherNames: NameTable = { files_to_read: ['key_artifacts_to_read', 'artifacts_to_read', 'read_first'] };

type MigratePart = (value: JsonValue | undefined, notes: Notes) => JsonValue;

const parts: readonly (readonly [SectionName, MigratePart])[] = [
  ['files_to_read', migrateFiles],
  ['quality_trajectory', migrateTrajectory],
  ['defect_summary', migrateDefects],
  ['decision_log', migrateDecisions],
  ['agent_summaries', migrateSummaries],
  ['compaction_events', migrateCompactions],
];

/** What was there stays in its order; of what is new, `recovery_state` comes first and the rest last. */
function inOrder(members: ReadonlyMap<string, JsonValue>, section: JsonObject): JsonObject {
  const isThere = (name: string) => Object.hasOwn(section, name);
  const fresh = sectionNames.filter((name) => !isThere(name) && members.has(name));
  const names = [
    ...fresh.filter((name) => name === 'recovery_state'),
    ...[...members.keys()].filter(isThere),
    ...fresh.filter((name) => name !== 'recovery_state'),
  ];
  return Object.fromEntries(names.map((name) => [name, members.get(name) ?? null]));
}

function isFromOldPlace(change: Change): boolean {
  return (change.code === 'moved' || change.code === 'removed') && isOldKey(change.path);
}
