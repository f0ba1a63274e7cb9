import type { JsonValue } from '../../base/json.ts';
import type { AuthoredFile, RecurringPattern } from '../../model/event.ts';

export type { RecurringPattern, StructuredFile } from '../../model/event.ts';
export type FileToRead = AuthoredFile;

/**
 * The brief: what a new agent or person must know to continue the run. All of it is derived from the journal;
 * `matrix.ts` lists which event may change which part. `docs/formats/brief.md` describes the file.
 */
export interface Brief {
  readonly recovery_state: RecoveryState;
  readonly files_to_read: readonly FileToRead[];
  readonly quality_trajectory: QualityTrajectory;
  readonly defect_summary: DefectSummary;
  readonly decision_log: readonly DecisionEntry[];
  /** One line for each agent: `DONE. 403 files modified.` */
  readonly agent_summaries: Readonly<Record<string, string>>;
  readonly compaction_events: CompactionEvents;
}

export type SectionName = keyof Brief;

/** In the order in which they stand in the document. */
export const sectionNames = [
  'recovery_state',
  'files_to_read',
  'quality_trajectory',
  'defect_summary',
  'decision_log',
  'agent_summaries',
  'compaction_events',
] as const satisfies readonly SectionName[];

export interface RecoveryState {
  /** `CP-014`: the newest point that the run can be picked up from; null before the first. */
  readonly last_checkpoint: string | null;
  /** Counted over all stages, from 1; null before the first has begun. */
  readonly current_phase: number | null;
  readonly current_phase_name: string | null;
  readonly workflow_status: string;
  readonly current_activity: string;
  readonly next_step: string;
  /** In percent; null if not reported. */
  readonly context_fill_at_update: number | null;
  /** Time of the newest event in the document. */
  readonly updated_at: string;
  readonly cross_session_portable?: JsonValue;
  readonly ephemeral_references?: JsonValue;
}

export interface QualityTrajectory {
  /** Ids; an entry of a document that was taken over stays as it was found. */
  readonly gates_completed: readonly JsonValue[];
  readonly gates_remaining: readonly JsonValue[];
  /** How many there are, where the lists are cut. */
  readonly gates_completed_total?: number;
  readonly gates_remaining_total?: number;
  /** Null between gates. */
  readonly current_gate: string | null;
  readonly current_gate_iteration: number | null;
  readonly score_history: Readonly<Record<string, JsonValue | readonly number[]>>;
  readonly lowest_dimension: string | null;
  /** Null where a document that was taken over did not say. So are the other totals. */
  readonly total_iterations_used: number | null;
}

export interface DefectSummary {
  readonly total_defects_found: number | null;
  readonly total_defects_resolved: number | null;
  readonly unresolved_defects: readonly JsonValue[];
  readonly recurring_patterns: readonly RecurringPattern[];
  readonly last_gate_primary_defect: string | null;
}

export interface DecisionEntry {
  /** `RD-001`. */
  readonly id: string;
  readonly gate: string | null;
  readonly iteration: number | null;
  readonly decision: string;
  readonly rationale: string | null;
  /** Phase numbers; text that names no phase of the pipeline stays as written. */
  readonly affects_phases: readonly (number | string)[];
  readonly applied: boolean;
}

export interface CompactionEvents {
  readonly count: number | null;
  readonly events: readonly CompactionEntry[];
}

export interface CompactionEntry {
  /** `CX-001`. */
  readonly id: string;
  readonly timestamp: string;
  readonly trigger: 'auto' | 'manual';
  readonly estimated_fill_before: number | null;
  readonly active_phase: number | null;
  readonly active_gate: string | null;
  readonly active_gate_iteration: number | null;
  readonly checkpoint_file: string;
  /** The agent that continued was given the brief. */
  readonly acknowledged: boolean;
}
