import { currentResult, type Ledger } from '../../ledger/ledger.ts';
import { numberIn } from '../../ledger/notes.ts';
import type { Pipeline } from '../../model/definition.ts';
import type {
  Brief,
  CompactionEvents,
  DecisionEntry,
  FileToRead,
  SectionName,
  StructuredFile,
} from './document.ts';
import { withEarlierCompactions } from './history.ts';
import { defectSummary, qualityTrajectory } from './quality.ts';
import { recoveryState } from './recovery.ts';
import { type Known, makeSurvey, phasesOf, type Survey } from './survey.ts';

/** The whole document. The same journal, the same document. */
export function briefOf(pipeline: Pipeline, ledger: Ledger, known?: Known): Brief {
  return deriveSections(pipeline, ledger, makeSurvey(pipeline, ledger, known), allSections, undefined);
}

/**
 * Derives these parts again and keeps the others. A part that the matrix leaves alone cannot have changed, so keeping it
 * equals deriving it.
 */
export function deriveSections(
  pipeline: Pipeline,
  ledger: Ledger,
  survey: Survey,
  changed: ReadonlySet<SectionName>,
  before: Brief | undefined,
): Brief {
  const take = <Name extends SectionName>(name: Name, derive: () => Brief[Name]): Brief[Name] =>
    before === undefined || changed.has(name) ? derive() : before[name];
  return {
    recovery_state: take('recovery_state', () => recoveryState(survey)),
    files_to_read: take('files_to_read', () => filesToRead(ledger)),
    quality_trajectory: take('quality_trajectory', () => qualityTrajectory(pipeline, ledger)),
    defect_summary: take('defect_summary', () => defectSummary(pipeline, ledger)),
    decision_log: take('decision_log', () => decisionLog(pipeline, ledger)),
    agent_summaries: take('agent_summaries', () => agentSummaries(ledger)),
    compaction_events: take('compaction_events', () => compactionEvents(ledger)),
  };
}

const allSections: ReadonlySet<SectionName> = new Set();

/** Files to read first: the pipeline, the inputs of the active unit, then what people and agents added. */
function filesToRead(
  ledger: Ledger,
  latest: { readonly unit: string; readonly phase: string } | undefined = ledger.notes.latest,
): FileToRead[] {
  const { files } = ledger.notes;
  const known: StructuredFile[] = [];
  const manifest = ledger.run?.manifest;
  if (manifest)
    known.push({
      path: manifest,
      priority: 1,
      purpose: 'the pipeline',
      sections: latest === undefined ? [] : [`phases.${latest.phase}`],
    });
  if (latest !== undefined) {
    const made = ledger.steps.byUnit.get(latest.unit) ?? [];
    for (const step of made.slice(-stepsMax)) {
      for (const { path } of Object.values(currentResult(step)?.outputs ?? {}))
        known.push({ path, priority: 2, purpose: `made by ${step.phase} of ${latest.unit}`, sections: [] });
    }
    const statics = ledger.revisions.get(ledger.revision)?.phases[latest.phase];
    for (const { path } of Object.values(statics?.templates ?? {}))
      known.push({ path, priority: 3, purpose: `prompt of ${latest.phase}`, sections: [] });
  }
  const unique = known.filter(({ path }, at) => known.findIndex((one) => one.path === path) === at);
  const own = new Set(unique.map(({ path }) => path));
  const added = (files?.list ?? []).filter((file) => !own.has(typeof file === 'string' ? file : file.path));
  return [...unique.slice(0, filesMax), ...added.slice(0, addedMax)];
}

const stepsMax = 6;
const filesMax = 20;
/** What people add is theirs: the list is as long as it can be taken in. */
const addedMax = 200;

function decisionLog({ stages }: Pipeline, { decisions }: Ledger): DecisionEntry[] {
  const phases = phasesOf(stages);
  return decisions
    .slice(-entriesMax)
    .map(({ id, decision, because, affects, gate, round: iteration, applied }) => ({
      id,
      gate: gate ?? null,
      iteration: iteration ?? null,
      decision,
      rationale: because ?? null,
      affects_phases: affects.map((name) => {
        const at = phases.findIndex((phase) => phase.name === name);
        if (at >= 0) return at + 1;
        return /^[1-9]\d{0,5}$/.test(name) ? Number(name) : name;
      }),
      applied: applied ?? false,
    }));
}

const entriesMax = 500;

/** An agent that has left several lines has several entries: what it said before stays as it was. */
function agentSummaries({ notes }: Ledger): Record<string, string> {
  const counts = new Map<string, number>();
  return Object.fromEntries(
    notes.summaries.map(({ agent, summary }) => {
      const nth = (counts.get(agent) ?? 0) + 1;
      counts.set(agent, nth);
      return [nth === 1 ? agent : `${agent}#${nth}`, summary];
    }),
  );
}

function compactionEvents(ledger: Ledger): CompactionEvents {
  const { notes } = ledger;
  const isHanded = (id: string) => numberIn(id) <= notes.handedUpTo;
  const events = notes.compactions.map(
    ({ id, seenAt, trigger, fill, phase, gate, round: iteration, file }) => ({
      id,
      timestamp: seenAt,
      trigger,
      estimated_fill_before: fill ?? null,
      active_phase: phase ?? null,
      active_gate: gate ?? null,
      active_gate_iteration: iteration ?? null,
      checkpoint_file: file,
      acknowledged: isHanded(id),
    }),
  );
  return withEarlierCompactions({ count: events.length, events }, ledger, isHanded);
}
