import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { joinPath } from '../../pipeline/text/problems.ts';
import { sectionNames } from '../../projections/brief/document.ts';
import type { Warning } from './notes.ts';
import { readStatus } from './state-prose.ts';
import { isNothing } from './values.ts';

/** Where keys stand that the format does not know. */
export function keptKeys(section: JsonObject): string[] {
  return [
    ...unknownIn(section, sectionNames, ''),
    ...partKeys.flatMap(([path, known]) =>
      mapsAt(section, path).flatMap(([at, map]) => unknownIn(map, known, at)),
    ),
  ];
}

/** By the place of a map, or of a list of maps, the keys that it may have. */
const partKeys: readonly (readonly [path: string, known: readonly string[]])[] = [
  [
    'recovery_state',
    [
      ...['last_checkpoint', 'current_phase', 'current_phase_name', 'workflow_status', 'current_activity'],
      ...['next_step', 'context_fill_at_update', 'updated_at'],
      ...['cross_session_portable', 'ephemeral_references', 'current_state'],
    ],
  ],
  ['files_to_read', ['path', 'priority', 'purpose', 'sections']],
  [
    'quality_trajectory',
    [
      ...['gates_completed', 'gates_remaining', 'current_gate', 'current_gate_iteration'],
      ...['score_history', 'lowest_dimension', 'total_iterations_used'],
    ],
  ],
  [
    'defect_summary',
    [
      ...['total_defects_found', 'total_defects_resolved', 'unresolved_defects', 'recurring_patterns'],
      'last_gate_primary_defect',
    ],
  ],
  ['defect_summary.recurring_patterns', ['pattern', 'resolution']],
  ['decision_log', ['id', 'gate', 'iteration', 'decision', 'rationale', 'affects_phases', 'applied']],
  ['compaction_events', ['count', 'events']],
  [
    'compaction_events.events',
    [
      ...['id', 'timestamp', 'trigger', 'estimated_fill_before', 'active_phase', 'active_gate'],
      ...['active_gate_iteration', 'checkpoint_file', 'acknowledged'],
    ],
  ],
];

function mapsAt(section: JsonObject, path: string): readonly (readonly [string, JsonObject])[] {
  let found: JsonValue | undefined = section;
  for (const key of path.split('.')) found = isJsonObject(found) ? found[key] : undefined;
  if (isJsonObject(found)) return [[path, found]];
  if (!Array.isArray(found)) return [];
  return found.flatMap((item: JsonValue, index) =>
    isJsonObject(item) ? [[`${path}[${index}]`, item] as const] : [],
  );
}

function unknownIn(map: JsonObject, known: readonly string[], path: string): string[] {
  return Object.keys(map)
    .filter((key) => !known.includes(key))
    .map((key) => joinPath(path, key));
}

/** What an agent that reads nothing but the section needs first. A run that is over needs no next step and no files. */
export function emptyPlaces({ recovery_state: state, files_to_read: files }: JsonObject): Warning[] {
  if (!isJsonObject(state)) return [];
  const { workflow_status: said, next_step: nextStep } = state;
  const status = typeof said === 'string' ? readStatus(said) : undefined;
  const isOver = status === 'completed' || status === 'cancelled';
  const empty: string[] = [];
  if (isNothing(said)) empty.push('recovery_state.workflow_status');
  if (isNothing(nextStep) && !isOver) empty.push('recovery_state.next_step');
  if (Array.isArray(files) && files.length === 0 && !isOver) empty.push('files_to_read');
  return empty.map((path) => ({ code: 'left-empty', path }));
}
