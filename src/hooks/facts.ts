import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { BriefState } from '../engine/brief/state-file.ts';

/* What hooks read from a brief. Each part is checked, because anyone may have written the file. */

export interface RunFacts {
  readonly phase: number | undefined;
  readonly phaseName: string | undefined;
  readonly gate: string | undefined;
  readonly iteration: number | undefined;
  readonly updatedAt: string | undefined;
  readonly compactions: readonly KnownCompaction[];
}

/** A compaction that the engine has recorded. */
export interface KnownCompaction {
  readonly id: string;
  readonly timestamp: string;
  readonly trigger: 'auto' | 'manual';
  readonly fill: number | undefined;
  readonly phase: number | undefined;
  readonly gate: string | undefined;
  readonly iteration: number | undefined;
  readonly isAcknowledged: boolean;
}

export function factsOf(state: BriefState): RunFacts {
  const brief = state.brief as unknown as JsonObject;
  const recovery = objectIn(brief.recovery_state);
  const trajectory = objectIn(brief.quality_trajectory);
  const { events } = objectIn(brief.compaction_events);
  const around = objectIn(objectIn(state.survey as unknown as JsonValue).gate);
  return {
    phase: numberIn(recovery.current_phase),
    phaseName: textIn(recovery.current_phase_name),
    // The trajectory knows a gate once it has scored; the first round is one as well.
    gate: textIn(around.id) ?? textIn(trajectory.current_gate),
    iteration: numberIn(around.iteration) ?? numberIn(trajectory.current_gate_iteration),
    updatedAt: textIn(recovery.updated_at),
    compactions: Array.isArray(events) ? events.flatMap(compactionIn) : [],
  };
}

/** Whether an iteration of a gate has its score. */
export function isScored(state: BriefState, gate: string, iteration: number): boolean {
  const trajectory = objectIn((state.brief as unknown as JsonObject).quality_trajectory);
  const { gates_completed: completed } = trajectory;
  if (Array.isArray(completed) && completed.includes(gate)) return true;
  const history = objectIn(trajectory.score_history);
  const scores = Object.hasOwn(history, gate) ? history[gate] : undefined;
  return Array.isArray(scores) && scores.length >= iteration;
}

/** Reads the members that an entry of the document and a checkpoint file have in common. */
export function compactionIn(value: JsonValue): KnownCompaction[] {
  if (!isJsonObject(value)) return [];
  const { id, timestamp } = value;
  if (typeof id !== 'string' || compactionNumber(id) === undefined || typeof timestamp !== 'string')
    return [];
  return [
    {
      id,
      timestamp,
      trigger: value.trigger === 'manual' ? 'manual' : 'auto',
      fill: numberIn(value.estimated_fill_before),
      phase: numberIn(value.active_phase),
      gate: textIn(value.active_gate),
      iteration: numberIn(value.active_gate_iteration),
      isAcknowledged: value.acknowledged === true,
    },
  ];
}

/** Of `CX-014`: 14. */
export function compactionNumber(id: string): number | undefined {
  const digits = /^CX-(\d{3,9})$/.exec(id)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function objectIn(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function numberIn(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function textIn(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
