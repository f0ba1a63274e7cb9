import { unreachable } from '../../base/result.ts';
import type { StoredEvent } from '../../model/event.ts';
import { type SectionName, sectionNames } from './document.ts';

/**
 * Triggers of a new brief. T1 to T7 are those of the protocol that the document comes from; the others are Pawl's own.
 *
 * - `T1` a phase starts, `T2` a phase ends, `T3` a gate scored a round, `T4` an agent is done, `T5` a context was
 *   compacted, `T6` a decision for later phases, `T7` a context reached another tier (advisory).
 * - `run`: the run begins, resumes, asks, is answered, ends; results are superseded or count again.
 * - `note`: only the position of the run changed.
 * - `imported`: a document from before the run was imported.
 * - `handed`: an agent was given the brief. `applied`: a decision was carried out. `authored`: a person or agent edited it.
 */
export type Trigger =
  | 'T1'
  | 'T2'
  | 'T3'
  | 'T4'
  | 'T5'
  | 'T6'
  | 'T7'
  | 'run'
  | 'note'
  | 'handed'
  | 'applied'
  | 'authored'
  | 'imported';

/** Rewritten, appended to, updated in part, appended to if a decision was made, left byte for byte. */
export type Mark = 'W' | 'A' | 'U' | 'C' | '-';

const row = (marks: string): Readonly<Record<SectionName, Mark>> =>
  Object.fromEntries(
    sectionNames.map((name, at) => [name, marks.split(' ')[at] ?? '-']),
  ) as unknown as Readonly<Record<SectionName, Mark>>;

/** Columns as in `sectionNames`: recovery, files, quality, defects, decisions, agents, compactions. */
export const matrix: Readonly<Record<Trigger, Readonly<Record<SectionName, Mark>>>> = {
  T1: row('W U - - - - -'),
  T2: row('W U - - - - -'),
  T3: row('W - W W C - -'),
  T4: row('W - - - - A -'),
  T5: row('W - - - - - A'),
  T6: row('W - - - A - -'),
  T7: row('W - - - - - -'),
  run: row('W U W W - - -'),
  note: row('W - - - - - -'),
  handed: row('W - - - - - U'),
  applied: row('W - - - U - -'),
  authored: row('W U - W - - -'),
  imported: row('W - W W - - W'),
};

/** What an event means for the brief. `runner`: the actor that carries out plans; everybody else is an agent. */
export function triggersOf(event: StoredEvent, runner: string | undefined): readonly Trigger[] {
  switch (event.type) {
    case 'attempt_started':
    case 'process_started':
      return ['T1'];
    case 'attempt_succeeded':
      return [
        'T2',
        ...(event.judged === undefined ? [] : (['T3'] as const)),
        ...(event.actor === runner ? [] : (['T4'] as const)),
      ];
    case 'attempt_failed':
    case 'attempt_interrupted':
    case 'attempt_paused':
    case 'outputs_restored':
      return ['T2'];
    case 'summary_recorded':
      return ['T4'];
    case 'compaction_seen':
      return ['T5'];
    case 'decision_recorded':
      return ['T6'];
    case 'context_crossed':
      return ['T7'];
    case 'brief_delivered':
      return ['handed'];
    case 'decision_applied':
      return ['applied'];
    case 'brief_authored':
      return ['authored'];
    case 'page_imported':
      return ['run'];
    case 'brief_imported':
      return ['imported'];
    case 'run_created':
    case 'run_resumed':
    case 'run_ended':
    case 'foreign_run_reported':
    case 'revision_recorded':
    case 'revision_requested':
    case 'checkpoint_asked':
    case 'checkpoint_decided':
    case 'results_superseded':
    case 'results_kept':
    case 'results_restored':
    case 'artifact_adopted':
    case 'foreign_work_reported':
    case 'foreign_reports_bound':
      return ['run'];
    case 'override_used':
    case 'stop_requested':
    case 'outputs_verified':
    case 'damage_accepted':
    case 'lease_renewed':
    case 'completion_refused':
    case 'task_blocked':
    case 'task_unblocked':
    case 'session_seen':
    case 'brief_edited':
      return ['note'];
    default:
      return unreachable(event);
  }
}

/** The parts that these triggers may change. */
export function changedBy(triggers: Iterable<Trigger>): ReadonlySet<SectionName> {
  const changed = new Set<SectionName>();
  for (const trigger of triggers)
    for (const name of sectionNames) if (matrix[trigger][name] !== '-') changed.add(name);
  return changed;
}
