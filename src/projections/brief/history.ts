import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { CompactionEntry, CompactionEvents, DefectSummary, QualityTrajectory } from './document.ts';

/*
 * What a document said before a run took it over, added to what the journal says. The journal has no events of that time,
 * so its own counts would say zero where the truth is another number.
 */

/** The parts of a document that only its earlier keeper can know. */
export const historyNames = [
  'recovery_state',
  'quality_trajectory',
  'defect_summary',
  'compaction_events',
] as const;

/** `ownGates`: of the pipeline. Of these the journal alone speaks. */
export function withEarlierGates(
  own: QualityTrajectory,
  ownGates: ReadonlySet<string>,
  ledger: Ledger,
): QualityTrajectory {
  const found = partOf(ledger, 'quality_trajectory');
  if (found === undefined) return own;
  const isEarlier = (gate: JsonValue) => typeof gate !== 'string' || !ownGates.has(gate);
  const completed = listIn(found.gates_completed).filter(isEarlier);
  // A complete run has nothing left to do, even if its last plan had.
  const planned = ledger.ended === 'completed' ? [] : listIn(found.gates_remaining);
  const remaining = planned.filter((gate) => isEarlier(gate) && !includes(completed, gate));
  const scores = Object.entries(isJsonObject(found.score_history) ? found.score_history : {});
  return {
    ...own,
    gates_completed: [...completed, ...own.gates_completed],
    gates_remaining: [...own.gates_remaining, ...remaining],
    score_history: {
      ...Object.fromEntries(scores.filter(([gate]) => isEarlier(gate))),
      ...own.score_history,
    },
    lowest_dimension: own.lowest_dimension ?? textIn(found.lowest_dimension),
    total_iterations_used: sum(found.total_iterations_used, own.total_iterations_used),
  };
}

export function withEarlierDefects(own: DefectSummary, ledger: Ledger): DefectSummary {
  const found = partOf(ledger, 'defect_summary');
  if (found === undefined) return own;
  const open = listIn(found.unresolved_defects).filter((one) => !includes(own.unresolved_defects, one));
  return {
    ...own,
    total_defects_found: sum(found.total_defects_found, own.total_defects_found),
    total_defects_resolved: sum(found.total_defects_resolved, own.total_defects_resolved),
    unresolved_defects: [...open, ...own.unresolved_defects],
    last_gate_primary_defect: own.last_gate_primary_defect ?? textIn(found.last_gate_primary_defect),
  };
}

/** `isHanded`: whether an agent has been given the brief since a compaction. */
export function withEarlierCompactions(
  own: CompactionEvents,
  ledger: Ledger,
  isHanded: (id: string) => boolean,
): CompactionEvents {
  const found = partOf(ledger, 'compaction_events');
  if (found === undefined) return own;
  const earlier = listIn(found.events).map((event) =>
    isJsonObject(event) && typeof event.id === 'string' && isHanded(event.id)
      ? { ...event, acknowledged: true }
      : event,
  );
  const count = found.count === undefined ? earlier.length : found.count;
  return {
    count: sum(count, own.events.length),
    events: [...(earlier as unknown as CompactionEntry[]), ...own.events],
  };
}

/** How many checkpoints an earlier document counted: `CP-006` is 6. */
export function earlierPoints(ledger: Ledger): number {
  const said = textIn(partOf(ledger, 'recovery_state')?.last_checkpoint);
  return Number(/^CP-(\d{3,9})$/.exec(said ?? '')?.[1] ?? 0);
}

/** Ids of the compactions that an earlier document listed. */
export function earlierCompactionIds(ledger: Ledger): string[] {
  return listIn(partOf(ledger, 'compaction_events')?.events).flatMap((event) =>
    isJsonObject(event) && typeof event.id === 'string' ? [event.id] : [],
  );
}

type HistoryName = (typeof historyNames)[number];

function partOf({ notes }: Ledger, name: HistoryName): JsonObject | undefined {
  const part = notes.imported?.history[name];
  return isJsonObject(part) ? part : undefined;
}

/** An unknown number and a known one add up to an unknown one: null. */
function sum(before: JsonValue | undefined, own: number | null): number | null {
  return typeof before === 'number' && own !== null ? before + own : null;
}

function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function textIn(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function includes(list: readonly JsonValue[], value: JsonValue): boolean {
  return list.some((one) => canonicalJson(one) === canonicalJson(value));
}
